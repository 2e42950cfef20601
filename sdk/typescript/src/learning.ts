import { Endpoint, List, ofPerson, Records, type Resource, toOne } from "./endpoint.js";
import type * as model from "./models.gen.js";
import { type RequestOptions, sleep } from "./request.js";

export class Activities extends Records<model.Activity> {
  /** Records that the person has completed the activity in the current course attempt. */
  complete(activityId: string, personId: string, options?: RequestOptions): Promise<model.Completion> {
    return this.fetch("POST", [activityId, "completions"], ofPerson(personId), options);
  }
}

/** The answer of a person to a question. */
export interface Answer {
  personId: string;
  questionId: string;
  /** Needed if several activities use the quiz. */
  activityId?: string;
  /** The texts of the selected choices. */
  response: readonly string[];
}

export class Quizzes extends Records<model.Quiz> {
  /** Submits answers to questions of a quiz and returns them with their grades. */
  answer(quizId: string, answers: readonly Answer[], options?: RequestOptions): Promise<model.MarkedAnswer[]> {
    const data = answers.map(({ personId, questionId, activityId, response }) => {
      const { relationships: person } = ofPerson(personId);
      const relationships: Resource["relationships"] = { ...person, question: toOne("questions", questionId) };
      if (activityId !== undefined) relationships.activity = toOne("activities", activityId);
      return { attributes: { response }, relationships };
    });
    return this.fetch("POST", [quizId, "answers"], data, options);
  }
}

/** Reports that a person viewed an activity or watched a video. */
export interface EventReport {
  personId: string;
  activityId: string;
  /** Fraction of the video, from 0 to 1; only for videos. */
  watched?: number;
  /** When the event took place; not given by default. */
  occurredAt?: Date;
  /** Chosen by the client, so that the server recognizes a repeated report. */
  clientId?: string;
}

/** The event feed, oldest first. */
export class Events extends List<model.Event> {
  /** Appends events to the feed. */
  record(reports: readonly EventReport[], options?: RequestOptions): Promise<model.Event[]> {
    const data = reports.map(({ personId, activityId, watched, occurredAt, clientId }) => ({
      type: `learner_viewed_${watched === undefined ? "" : "video_"}activity_events`,
      attributes: { percentage_watched: watched, occurred_at: occurredAt, client_id: clientId },
      relationships: { ...ofPerson(personId).relationships, activity: toOne("activities", activityId) },
    }));
    return this.fetch("POST", [], data, options);
  }
}

type BulkAttributes<Body extends { data: { attributes: unknown } }> = Body["data"]["attributes"];

/**
 * Starts jobs that create or extend many people or groups in the background, and reads the jobs.
 */
export class Bulk extends Endpoint {
  /**
   * Creates the people who do not exist yet, adds each person to the groups of the row and sets the
   * properties.
   */
  people(people: BulkAttributes<model.BulkPeople>["people"], options?: RequestOptions): Promise<model.BulkJob> {
    return this.fetch("POST", ["people"], { type: "bulk", attributes: { people } }, options);
  }

  /**
   * Creates the groups that do not exist yet, adds the courses of the row to each group and sets
   * the properties.
   */
  groups(groups: BulkAttributes<model.BulkGroups>["groups"], options?: RequestOptions): Promise<model.BulkJob> {
    return this.fetch("POST", ["groups"], { type: "bulk", attributes: { groups } }, options);
  }

  job(id: string, options?: RequestOptions): Promise<model.BulkJob> {
    return this.fetch("GET", ["jobs", id], undefined, options);
  }

  /**
   * Returns the job when all of its rows have been processed. It gets the job once per interval,
   * which is in milliseconds. The attributes of the job contain the errors of rows.
   */
  async wait(id: string, interval: number, options?: RequestOptions): Promise<model.BulkJob> {
    for (;;) {
      const job = await this.job(id, options);
      if (job.attributes.status === "completed") return job;
      await sleep(interval, options?.signal);
    }
  }
}

/** A client of the Lyceum API (version 2). */
import { Collection, List, Records } from "./endpoint.js";
import { Activities, Bulk, Events, Quizzes } from "./learning.js";
import type * as model from "./models.gen.js";
import { type Options, Sender } from "./request.js";
import {
  ApiKeys, type Attributes, Coupons, Courses, Enrollments, Groups, Memberships, Partnerships, People, School,
} from "./resources.js";

export { collect, List } from "./endpoint.js";
export { type Fault, part, ResponseError } from "./errors.js";
export type { Answer, EventReport } from "./learning.js";
export { Page, type Related } from "./page.js";
export type { Filter, Predicates, Query, Value } from "./query.js";
export type { Options, RequestOptions } from "./request.js";
export type { Attributes } from "./resources.js";
export type { model };

/**
 * Sends requests with the API key of one school. Its properties are the resources of the school.
 */
export class Client {
  readonly people: People;
  readonly partnerships: Partnerships;
  readonly categories: Collection<model.Category, Attributes<model.NewCategory>, Attributes<model.ChangedCategory>>;
  readonly courses: Courses;
  readonly activities: Activities;
  readonly quizzes: Quizzes;
  readonly assignments: List<model.Assignment>;
  readonly groups: Groups;
  readonly memberships: Memberships;
  readonly enrollments: Enrollments;
  readonly coupons: Coupons;
  readonly completions: List<model.Completion>;
  readonly quizAttempts: List<model.QuizAttempt>;
  readonly submissions: Records<model.Submission>;
  readonly analytics: {
    readonly courses: List<model.CourseAnalytics>;
    readonly quizScores: List<model.QuizScore>;
    readonly quizRawAnswers: List<model.QuizRawAnswer>;
  };
  readonly events: Events;
  readonly bulk: Bulk;
  readonly apiKeys: ApiKeys;
  readonly school: School;

  constructor(options: Options) {
    const sender = new Sender(options);
    this.people = new People(sender, "people");
    this.partnerships = new Partnerships(sender, "partnerships");
    this.categories = new Collection(sender, "categories");
    this.courses = new Courses(sender, "courses");
    this.activities = new Activities(sender, "activities");
    this.quizzes = new Quizzes(sender, "quizzes");
    this.assignments = new List(sender, "assignments");
    this.groups = new Groups(sender, "groups");
    this.memberships = new Memberships(sender, "memberships");
    this.enrollments = new Enrollments(sender, "enrollments");
    this.coupons = new Coupons(sender, "coupons");
    this.completions = new List(sender, "activity_completions");
    this.quizAttempts = new List(sender, "quiz_attempts");
    this.submissions = new Records(sender, "submissions");
    this.analytics = {
      courses: new List(sender, "analytics/courses"),
      quizScores: new List(sender, "analytics/quiz_scores"),
      quizRawAnswers: new List(sender, "analytics/quiz_raw_answers"),
    };
    this.events = new Events(sender, "events");
    this.bulk = new Bulk(sender, "bulk");
    this.apiKeys = new ApiKeys(sender, "api_keys");
    this.school = new School(sender, "school");
  }
}

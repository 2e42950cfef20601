import { Collection, Endpoint, List, ofPerson, Records } from "./endpoint.js";
import type * as model from "./models.gen.js";
import type { RequestOptions } from "./request.js";

/** The attributes in the body of a request. */
export type Attributes<Body extends { data: { attributes?: unknown } }> = NonNullable<Body["data"]["attributes"]>;

export class People extends Collection<model.Person, Attributes<model.NewPerson>, Attributes<model.ChangedPerson>> {
  /** Makes the person a learner of the courses. Existing enrollments remain unchanged. */
  enroll(personId: string, courseIds: readonly string[], options?: RequestOptions): Promise<void> {
    return this.refer("POST", [personId, "relationships", "courses"], "enrolled-courses", courseIds, options);
  }

  /** Ends the enrollments of the person in the courses. */
  unenroll(personId: string, courseIds: readonly string[], options?: RequestOptions): Promise<void> {
    return this.refer("DELETE", [personId, "relationships", "courses"], "enrolled-courses", courseIds, options);
  }

  /** Returns the latest invitation of the person. */
  invitation(personId: string, options?: RequestOptions): Promise<model.Invitation> {
    return this.fetch("GET", [personId, "invitation"], undefined, options);
  }

  /** Sends the person another invitation email. */
  invite(personId: string, options?: RequestOptions): Promise<model.Invitation> {
    return this.fetch("POST", [personId, "invitation"], undefined, options);
  }

  /**
   * Returns a token with which the person may use the API for the given number of seconds, an hour by default and at
   * most 24 hours: a Client with the token as its key is a client of the learner.
   */
  createToken(personId: string, seconds?: number, options?: RequestOptions): Promise<model.LearnerToken> {
    const attributes = seconds === undefined ? {} : { expires_in: seconds };
    return this.fetch("POST", [personId, "tokens"], { type: "learner_tokens", attributes }, options);
  }

  /** Ends all tokens of the person. */
  revokeTokens(personId: string, options?: RequestOptions): Promise<void> {
    return this.fetch("DELETE", [personId, "tokens"], undefined, options);
  }
}

export class Partnerships extends Records<model.Partnership> {
  /** Gives the person a role in running the school: owner, manager or instructor. */
  create(personId: string, role: model.PartnerRole, options?: RequestOptions): Promise<model.Partnership> {
    return this.fetch("POST", [], { attributes: { role }, ...ofPerson(personId) }, options);
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.fetch("DELETE", [id], undefined, options);
  }
}

/**
 * The courses of the school. Each method that takes the ID of a course also accepts its permalink.
 */
export class Courses extends Collection<model.Course, Attributes<model.NewCourse>, Attributes<model.ChangedCourse>> {
  /** Deletes the course and all learner data in it. The request can take up to 10 minutes. */
  deleteWithLearnerData(courseId: string, options?: RequestOptions): Promise<void> {
    return this.sender.send("DELETE", `${this.below(courseId)}?force=true`, undefined, options);
  }

  /** Returns the list of the activities of a course. */
  activities(courseId: string): List<model.Activity> {
    return new List(this.sender, this.below(courseId, "activities"));
  }

  /** Returns the list of the learners and managers of a course. */
  enrollments(courseId: string): List<model.Enrollment> {
    return new List(this.sender, this.below(courseId, "enrollments"));
  }

  /** Makes people learners of the course. */
  enroll(courseId: string, personIds: readonly string[], options?: RequestOptions): Promise<void> {
    return this.refer("POST", [courseId, "relationships", "learners"], "people", personIds, options);
  }

  /** Returns all activities of a course in order, with their quizzes and assignments. */
  structure(courseId: string, options?: RequestOptions): Promise<model.SingleStructure["data"]> {
    return this.fetch("GET", [courseId, "structure"], undefined, options);
  }

  /**
   * Replaces the activities of a course by those of the plan. Other activities with learner data
   * are archived instead of deleted.
   */
  replaceStructure(
    courseId: string,
    plan: Attributes<model.StructurePlan>,
    options?: RequestOptions,
  ): Promise<model.SingleRevisedStructure["data"]> {
    return this.fetch("PUT", [courseId, "structure"], { attributes: plan }, options);
  }

  /** Begins the next attempt of a person at the course. */
  beginAttempt(courseId: string, personId: string, options?: RequestOptions): Promise<model.CourseAttempt> {
    return this.fetch("POST", [courseId, "attempts"], ofPerson(personId), options);
  }
}

export class Groups extends Collection<
  model.ListedGroup,
  Attributes<model.NewGroup>,
  Attributes<model.ChangedGroup>,
  model.Group
> {
  /** Returns the list of the members and managers of a group. */
  memberships(groupId: string): List<model.Membership> {
    return new List(this.sender, this.below(groupId, "memberships"));
  }

  /** Makes people members of the group and enrolls them in its courses. */
  addPeople(groupId: string, personIds: readonly string[], options?: RequestOptions): Promise<void> {
    return this.refer("POST", [groupId, "relationships", "people"], "people", personIds, options);
  }

  /** Ends memberships. The people stay enrolled in the courses of the group. */
  removePeople(groupId: string, personIds: readonly string[], options?: RequestOptions): Promise<void> {
    return this.refer("DELETE", [groupId, "relationships", "people"], "people", personIds, options);
  }

  /** Adds courses to the group and enrolls its members in them. */
  addCourses(groupId: string, courseIds: readonly string[], options?: RequestOptions): Promise<void> {
    return this.refer("POST", [groupId, "relationships", "courses"], "courses", courseIds, options);
  }

  /** Removes courses from the group. Its members stay enrolled in them. */
  removeCourses(groupId: string, courseIds: readonly string[], options?: RequestOptions): Promise<void> {
    return this.refer("DELETE", [groupId, "relationships", "courses"], "courses", courseIds, options);
  }
}

/** Gets and deletes the roles of people in groups; Groups.memberships lists them. */
export class Memberships extends Endpoint {
  get(id: string, options?: RequestOptions): Promise<model.Membership> {
    return this.fetch("GET", [id], undefined, options);
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.fetch("DELETE", [id], undefined, options);
  }
}

/** Gets the roles of people in courses; Courses.enrollments lists them. */
export class Enrollments extends Endpoint {
  get(id: string, options?: RequestOptions): Promise<model.Enrollment> {
    return this.fetch("GET", [id], undefined, options);
  }
}

export class Coupons extends Collection<model.Coupon, Attributes<model.NewCoupon>, Attributes<model.ChangedCoupon>> {
  /** Records that the person has used the coupon. */
  redeem(couponId: string, personId: string, options?: RequestOptions): Promise<model.Redemption> {
    return this.fetch("POST", [couponId, "redemptions"], ofPerson(personId), options);
  }

  /** Returns the list of the redemptions of a coupon. */
  redemptions(couponId: string): List<model.Redemption> {
    return new List(this.sender, this.below(couponId, "redemptions"));
  }
}

/** The API keys of the school. All methods require a key with the scope admin. */
export class ApiKeys extends Records<model.ApiKey> {
  create(attributes: Attributes<model.NewApiKey>, options?: RequestOptions): Promise<model.CreatedApiKey> {
    return this.fetch("POST", [], { attributes }, options);
  }

  revoke(id: string, options?: RequestOptions): Promise<void> {
    return this.fetch("DELETE", [id], undefined, options);
  }
}

/** The school of the API key. update requires a key with the scope admin. */
export class School extends Endpoint {
  get(options?: RequestOptions): Promise<model.School> {
    return this.fetch("GET", [], undefined, options);
  }

  update(attributes: Attributes<model.ChangedSchool>, options?: RequestOptions): Promise<model.School> {
    return this.fetch("PATCH", [], { attributes }, options);
  }
}


// Where what JSON:API or a program made for it asks for is not what this API
// family prescribes. Each exception is here, by its name, with its reason; the
// tests fail as soon as one of them is not needed any more.
//
//   in      the test that needs it
//   reason  why the API stays as it is
//   mend    makes a document what the validator wants, in this one respect;
//           where there is none, the test itself looks for what is excepted

/** Calls change with each resource of the document that has the type. */
function resources(document, type, change) {
  for (const row of [document.data ?? []].flat()) if (type.test(row.type)) change(row);
}

/** Calls change with each link of the document that is an object. */
function linkObjects(document, change) {
  for (const row of [document.data ?? []].flat()) {
    for (const link of Object.values(row.links ?? {})) if (typeof link === "object" && link) change(link);
  }
}

const table = {
  "ids of quiz_scores are integers": {
    in: "documents",
    reason: "the API family prescribes an integer, and its clients read a number",
    mend: (document) => resources(document, /^quiz_scores$/, (row) => {
      if (Number.isInteger(row.id)) row.id = String(row.id);
    }),
  },
  "events have no id": {
    in: "documents",
    reason: "the API family prescribes it: an event is a line of a feed, and nothing refers to it",
    mend: (document) => {
      let line = 0;
      resources(document, /^learner_viewed_(video_)?activity_events$/, (row) => {
        if (!("id" in row)) row.id = `line ${line++}`;
      });
    },
  },
  "links tell their methods": {
    in: "documents",
    reason: "prescribed beside `href`, where clients see what they may do; JSON:API would have it under `meta`",
    mend: (document) => linkObjects(document, (link) => {
      if (Array.isArray(link.methods)) delete link.methods;
    }),
  },
  "a learner's self is the person": {
    in: "documents",
    reason: "learners are a deprecated form of people, and their link leads to what takes its place",
  },
  "assignments have no self": { in: "documents", reason: "there is no operation that reads a single one" },
  "course_analytics have no self": { in: "documents", reason: "analytics are read as lists alone" },
  "quiz_scores have no self": { in: "documents", reason: "analytics are read as lists alone" },
  "quiz_raw_answers have no self": { in: "documents", reason: "analytics are read as lists alone" },
  "learner_viewed_activity_events have no self": { in: "documents", reason: "events are read as a feed alone" },
  "learner_viewed_video_activity_events have no self": { in: "documents", reason: "events are read as a feed alone" },
  "activity_completions have no self": { in: "documents", reason: "completions are read as a list alone" },
  "quiz_attempts have no self": { in: "documents", reason: "attempts are read as a list alone" },
  "references name a role in their type": {
    in: "library",
    reason: "kitsu takes the type from the path, `courses`; the prescribed `enrolled-courses` says in which role",
  },
};

/** Returns the exceptions of one test, and what notes and reports their use. */
exports.of = function of(test) {
  const mine = Object.entries(table).filter(([, exception]) => exception.in === test);
  const used = new Set();
  return {
    mends: mine.filter(([, exception]) => exception.mend).map(([name, { mend }]) => ({ name, mend })),
    has: (name) => mine.some(([known]) => known === name),
    use: (name) => used.add(name),
    /** Lists the exceptions that nothing has needed. */
    idle: () => mine.map(([name]) => name).filter((name) => !used.has(name)),
    names: () => mine.map(([name, { reason }]) => `${name}: ${reason}`),
  };
};

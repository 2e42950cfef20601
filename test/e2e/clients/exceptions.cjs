// Lists the exceptions: where this API family differs from JSON:API or from what a
// JSON:API program requires. Each has a name and a reason. The tests fail if an
// exception is no longer needed.
//
//   in      the test that needs it
//   reason  why the API stays as it is
//   adapt   changes a document to what the validator requires, in this one respect;
//           without it, the test itself handles the exception

/** Calls change for each resource of the document with the type. */
function resources(document, type, change) {
  for (const row of [document.data ?? []].flat()) if (type.test(row.type)) change(row);
}

/** Calls change for each link of the document that is an object. */
function linkObjects(document, change) {
  for (const row of [document.data ?? []].flat()) {
    for (const link of Object.values(row.links ?? {})) if (typeof link === "object" && link) change(link);
  }
}

const table = {
  "ids of quiz_scores are integers": {
    in: "documents",
    reason: "the API family prescribes an integer, and its clients read a number",
    adapt: (document) => resources(document, /^quiz_scores$/, (row) => {
      if (Number.isInteger(row.id)) row.id = String(row.id);
    }),
  },
  "events have no id": {
    in: "documents",
    reason: "the API family prescribes it: an event is an entry of a feed, and no record refers to it",
    adapt: (document) => {
      let line = 0;
      resources(document, /^learner_viewed_(video_)?activity_events$/, (row) => {
        if (!("id" in row)) row.id = `line ${line++}`;
      });
    },
  },
  "links tell their methods": {
    in: "documents",
    reason: "prescribed next to `href`, where clients find the allowed methods; JSON:API has `meta` for it",
    adapt: (document) => linkObjects(document, (link) => {
      if (Array.isArray(link.methods)) delete link.methods;
    }),
  },
  "a learner's self is the person": {
    in: "documents",
    reason: "learners are a deprecated form of people, and their link leads to the replacement",
  },
  "assignments have no self": { in: "documents", reason: "no operation reads a single assignment" },
  "course_analytics have no self": { in: "documents", reason: "analytics are read only as lists" },
  "quiz_scores have no self": { in: "documents", reason: "analytics are read only as lists" },
  "quiz_raw_answers have no self": { in: "documents", reason: "analytics are read only as lists" },
  "learner_viewed_activity_events have no self": { in: "documents", reason: "events are read only as a feed" },
  "learner_viewed_video_activity_events have no self": { in: "documents", reason: "events are read only as a feed" },
  "activity_completions have no self": { in: "documents", reason: "completions are read only as a list" },
  "changes have no self": { in: "documents", reason: "changes are read only as a feed" },
  "audit_events have no self": { in: "documents", reason: "the audit trail is read only as a list" },
  "quiz_attempts have no self": { in: "documents", reason: "attempts are read only as a list" },
  "references name a role in their type": {
    in: "library",
    reason: "kitsu takes the type from the path, `courses`; the prescribed `enrolled-courses` says in which role",
  },
};

/** Returns the exceptions of one test with functions that record and report their use. */
exports.of = function of(test) {
  const mine = Object.entries(table).filter(([, exception]) => exception.in === test);
  const used = new Set();
  return {
    adaptations: mine.filter(([, exception]) => exception.adapt).map(([name, { adapt }]) => ({ name, adapt })),
    has: (name) => mine.some(([known]) => known === name),
    use: (name) => used.add(name),
    /** Returns the unused exceptions. */
    idle: () => mine.map(([name]) => name).filter((name) => !used.has(name)),
    names: () => mine.map(([name, { reason }]) => `${name}: ${reason}`),
  };
};

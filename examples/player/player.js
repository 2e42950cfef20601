// A course player in the browser. It calls the API directly, with a learner token instead of an API
// key: the token gives access only to what this learner may see and do.

// The player's own server knows the learner and creates the token (server.mjs).
const { api, person, token } = await (await fetch("session", { method: "POST" })).json();

/** Sends a request to the API and returns the data of the response. Throws the first error's detail. */
async function call(path, data) {
  const response = await fetch(api + path, {
    method: data ? "POST" : "GET",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/vnd.api+json" },
    body: data && JSON.stringify({ data }),
  });
  const document = await response.json();
  if (!response.ok) throw new Error(document.errors[0].detail);
  return document.data;
}

/** Returns an element with the properties and the children. Texts become text nodes, never HTML. */
function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Shows the elements that render returns, or why it failed. */
async function show(render) {
  const content = await render().catch((error) => [element("p", { role: "alert" }, error.message), link("My courses", courses)]);
  document.querySelector("main").replaceChildren(...content);
}

const link = (text, render) => element("button", { type: "button", onclick: () => show(render) }, text);

/** The relationships of a record that belongs to the learner. */
const relationships = (others) => ({
  person: { data: { type: "people", id: person } },
  ...Object.fromEntries(Object.entries(others).map(([name, [type, id]]) => [name, { data: { type, id } }])),
});

async function courses() {
  const [all, progress] = await Promise.all([call("/v2/courses?limit=1000"), call("/v2/analytics/courses?limit=1000")]);
  return all.map(({ id, attributes }) => {
    const rows = progress.filter((row) => row.relationships.course.data.id === id);
    const percent = Math.max(0, ...rows.map((row) => row.attributes.progress));
    return element("p", {}, link(attributes.name, () => course(id)), ` ${percent} %`);
  });
}

async function course(id) {
  const [{ attributes }, completions] = await Promise.all([
    call(`/v2/courses/${id}/structure`),
    call(`/v2/activity_completions?filter[course.id][eq]=${id}&limit=1000`),
  ]);
  const done = new Set(completions.map((row) => row.relationships.activity.data.id));
  const rows = attributes.activities.map((a) =>
    element("li", {}, link(a.title, () => activity(id, a)), done.has(a.id) ? " completed" : ""),
  );
  return [link("My courses", courses), element("ol", {}, ...rows)];
}

async function activity(of, a) {
  const page = [link("Back to the course", () => course(of)), element("h2", {}, a.title), element("p", {}, a.text ?? "")];
  if (a.kind === "video" && a.video_url) page.push(element("video", { src: a.video_url, controls: true }));
  const completion = { type: "activity_completions", relationships: relationships({}) };
  const complete = () => call(`/v2/activities/${a.id}/completions`, completion).then(() => course(of));
  if (a.kind === "text" || a.kind === "video") page.push(link("Mark as completed", complete));
  if (a.kind === "quiz") page.push(...a.quiz.questions.map((q) => question(a, q)));
  return page;
}

/** Returns the form of a question. A question with several correct choices accepts a list of texts. */
function question(a, { id, text, choices }) {
  const result = element("output");
  const answer = (event) => {
    event.preventDefault();
    const response = new FormData(event.target).getAll("choice");
    call(`/v2/quizzes/${a.quiz.id}/answers`, {
      type: "quiz_raw_answers",
      attributes: { response: response.length === 1 ? response[0] : response },
      relationships: relationships({ activity: ["activities", a.id], question: ["questions", id] }),
    }).then(
      (given) => (result.textContent = given.attributes.marked_correct ? "Correct" : "Not correct"),
      (error) => (result.textContent = error.message),
    );
  };
  const options = choices.map((c) => element("label", {}, element("input", { type: "checkbox", name: "choice", value: c.text }), c.text));
  return element("form", { onsubmit: answer }, element("p", {}, text), ...options, element("button", {}, "Answer"), result);
}

show(courses);

// Tests the course player in a real browser.
const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { check, desk, checkRequests, launch, long, open, telephone } = require("./browser.cjs");
const { start } = require("./server.cjs");

const hostile = `"><script>alert(1)</script>`;
let server, browser, academy;

before(async () => {
  server = await start("--demo");
  academy = `${server.url}/learn/riverside-academy`;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.stop();
});

async function api(method, path, data) {
  const response = await fetch(server.url + path, {
    method, headers: { "X-Api-Key": server.key, "Content-Type": "application/json" }, body: data && JSON.stringify({ data }),
  });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
  return response.status === 204 ? null : (await response.json()).data;
}

/** Creates a course with an activity of each kind, and returns it. */
async function makeCourse(name) {
  const course = await api("POST", "/v2/courses", { type: "courses", attributes: { name } });
  await api("PUT", `/v2/courses/${course.attributes.permalink}/structure`, {
    type: "course_structures",
    attributes: {
      activities: [
        { key: "read", title: "Read", kind: "text", text: `# Bees\n\n### Wings\n\n${hostile}\n\n| a | b |\n|---|---|\n| *1* | 2 |\n\n[link](https://example.test)\n\n    code` },
        { key: "watch", title: "Watch", kind: "video", duration: 60, video_url: "https://media.example.test/bees.mp4" },
        { key: "quiz", title: "Quiz", kind: "quiz", quiz: { name: `Quiz of ${name}`, questions: [
          { key: "one", text: `One ${hostile}?`, choices: [{ text: "Yes", correct: true }, { text: "No" }] },
          { key: "two", text: "Two?", choices: [{ text: "A", correct: true }, { text: "B", correct: true }, { text: "C" }] },
        ] } },
        { key: "draw", title: "Draw", kind: "assignment", text: "Draw **a bee**.", assignment: { title: `Bee of ${name}` } },
      ],
    },
  });
  return course;
}

async function enter(options, course) {
  const opened = await open(browser, options);
  await opened.page.goto(`${academy}/sign-in`);
  await opened.page.getByRole("button", { name: "Enter as a learner" }).click();
  await opened.page.waitForURL(`${academy}/courses`);
  await opened.page.goto(course.attributes.course_enrollment_link);
  await opened.page.getByRole("button", { name: "Enroll" }).click();
  await opened.page.waitForURL(`${academy}/courses/${course.id}`);
  return opened;
}

for (const [name, options] of Object.entries({ "desktop, light mode": desk, "phone, dark mode": telephone })) {
  test(`learn a whole course: ${name}`, options === telephone ? long : {}, async () => {
    const course = await makeCourse(`Bees (${name})`);
    const { page, seen, close } = await enter(options, course);
    await check(page);
    await page.getByRole("link", { name: "Begin", exact: true }).click();
    await page.getByRole("heading", { name: "Read" }).waitFor();
    await check(page);
    await page.getByRole("button", { name: "Mark as completed and continue" }).click();
    await page.getByRole("heading", { name: "Watch" }).waitFor();
    await check(page);
    await page.goBack();
    await page.getByText("Completed").first().waitFor();
    await page.goForward();
    await page.getByRole("button", { name: "Mark as watched and continue" }).click();
    await page.getByRole("link", { name: "Start the quiz" }).click();
    await check(page);
    await page.getByRole("button", { name: "Answer" }).click(); // no answer is chosen
    await page.getByRole("alert").getByText("Please choose an answer.").waitFor();
    await check(page);
    await page.getByLabel("Yes").check();
    await page.context().clearCookies(); // the session is lost in the middle
    await page.getByRole("button", { name: "Answer" }).click();
    await page.waitForURL(`${academy}/sign-in?return=**`);
    await page.getByRole("button", { name: "Enter as a learner" }).click();
    await page.waitForURL(`${academy}/courses/${course.id}/quiz/questions/1`); // back to the question
    await page.getByLabel("Yes").check();
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByText("Choose all correct answers.").waitFor();
    await page.getByRole("link", { name: "My courses" }).click(); // leaves the quiz
    await page.getByRole("link", { name: course.attributes.name }).click();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByText("1 of 2 questions answered").waitFor();
    await check(page);
    await page.getByRole("link", { name: "Resume the quiz" }).click();
    await page.getByText("Choose all correct answers.").waitFor();
    await page.getByRole("link", { name: "Previous question" }).click();
    assert.ok(await page.getByLabel("Yes").isChecked());
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByLabel("A", { exact: true }).check();
    await page.getByLabel("B", { exact: true }).check();
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByRole("heading", { name: "Result: 2 of 2 correct (100%)" }).waitFor();
    await check(page);
    await page.getByRole("link", { name: "Next: Draw" }).click();
    await page.getByLabel("File").setInputFiles({ name: "bee.txt", mimeType: "text/plain", buffer: Buffer.from("a bee") });
    await check(page);
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByRole("link", { name: "bee.txt" }).waitFor();
    await check(page);
    await page.getByRole("link", { name: "Back to the course" }).click();
    await page.getByText("You have completed this course.").waitFor();
    await check(page);
    const progress = await api("GET", `/v1/analytics/courses?filter[course.id]=${course.id}`);
    assert.deepEqual(progress.map((row) => row.attributes.progress), [100]);
    checkRequests(server, { ...seen, complaints: seen.complaints.filter((c) => !/status of 422/.test(c)) });
    await close();
  });
}

/** Presses the tab key until an element with the given text or ID has the focus. */
async function tabTo(page, name) {
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const { id, textContent, labels } = document.activeElement;
      return [id, textContent.trim(), labels?.[0]?.textContent.trim()];
    });
    if (focused.includes(name)) return;
  }
  assert.fail(`${page.url()}: the tab key does not lead to ${name}`);
}

test("the keyboard alone", async () => {
  const course = await makeCourse("Bees (keyboard)");
  const { page, close } = await enter(desk, course);
  const path = `${academy}/courses/${course.id}`;
  const press = async (name, key, to) => {
    await tabTo(page, name);
    await page.keyboard.press(key);
    if (to) await page.waitForURL(path + to);
  };
  await press("Begin", "Enter", "/read");
  await press("Mark as completed and continue", "Enter", "/watch");
  await press("Mark as watched and continue", "Space", "/quiz");
  await press("Start the quiz", "Enter", "/quiz/questions/1");
  await press("Yes", "Space");
  await press("Answer", "Enter", "/quiz/questions/2");
  await press("A", "Space");
  await press("B", "Space");
  await press("Answer", "Enter", "/quiz");
  await page.getByRole("heading", { name: "Result: 2 of 2 correct (100%)" }).waitFor();
  await press("Next: Draw →", "Enter", "/draw");
  const chooser = page.waitForEvent("filechooser");
  await press("file", "Enter");
  await (await chooser).setFiles({ name: "bee.txt", mimeType: "text/plain", buffer: Buffer.from("a bee") });
  await press("Submit", "Enter");
  await page.getByRole("link", { name: "bee.txt" }).waitFor();
  await press("Back to the course", "Enter", "");
  await page.getByText("You have completed this course.").waitFor();
  await close();
});

test("a bar shows the progress of an upload", async () => {
  const course = await makeCourse("Bees (upload)");
  const { page, seen, close } = await enter(desk, course);
  await page.goto(`${academy}/courses/${course.id}/draw`);
  const bar = page.getByRole("progressbar");
  assert.ok(await bar.isHidden());
  await page.getByLabel("File").setInputFiles({ name: "large.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(600_000) });
  const network = await page.context().newCDPSession(page);
  await network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 300_000 });
  await page.getByRole("button", { name: "Submit" }).click();
  await bar.waitFor();
  await page.waitForFunction(() => {
    const { value } = document.querySelector("form[data-upload] progress");
    return value > 0 && value < 100;
  });
  assert.ok(await page.getByRole("button", { name: "Submit" }).isDisabled());
  await page.getByRole("link", { name: "large.bin" }).waitFor();
  assert.ok(await bar.isHidden());
  await page.getByText("586 KB, submitted on").waitFor();
  checkRequests(server, seen);
  await close();
});

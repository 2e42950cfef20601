// Plays a video of a course in a real browser.
const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { check, desk, checkRequests, launch, open } = require("./browser.cjs");
const { record, serveVideo } = require("./media.cjs");
const { start } = require("./server.cjs");

let server, browser, media;

before(async () => {
  browser = await launch();
  const { page, close } = await open(browser);
  media = await serveVideo(await record(page));
  await close();
  server = await start("--demo", "--media-src", media.origin);
});

after(async () => {
  await browser?.close();
  server?.stop();
  media?.stop();
});

async function api(method, path, data) {
  const response = await fetch(server.url + path, {
    method, headers: { "X-Api-Key": server.key, "Content-Type": "application/json" }, body: data && JSON.stringify({ data }),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return (await response.json()).data;
}

test("the watched share of a video arrives in the event feed", async () => {
  const course = await api("POST", "/v2/courses", { type: "courses", attributes: { name: "Bees" } });
  await api("PUT", `/v2/courses/${course.attributes.permalink}/structure`, {
    type: "course_structures",
    attributes: { activities: [{ key: "watch", title: "Watch", kind: "video", duration: 2, video_url: media.address }] },
  });
  const { page, seen, close } = await open(browser, { ...desk, ignoreHTTPSErrors: true });
  const academy = `${server.url}/learn/riverside-academy`;
  await page.goto(`${academy}/sign-in`);
  await page.getByRole("button", { name: "Enter as a learner" }).click();
  await page.waitForURL(`${academy}/courses`);
  await page.goto(course.attributes.course_enrollment_link);
  await page.getByRole("button", { name: "Enroll" }).click();
  await page.waitForURL(`${academy}/courses/${course.id}`);
  await page.goto(`${academy}/courses/${course.attributes.permalink}/watch`);
  const reported = page.waitForResponse((r) => r.url().endsWith("/watch/watched") && r.ok());
  await page.locator("video").focus();
  await page.keyboard.press("Space"); // plays the video
  await reported;
  await check(page);
  await page.getByText("Completed").waitFor();
  await page.waitForFunction(() => document.querySelector("video").ended);
  assert.ok(await page.locator(".failed").isHidden());

  const type = "learner_viewed_video_activity_events";
  const [activity] = await api("GET", `/v2/activities?filter[course.id]=${course.id}`);
  const events = await api("GET", `/v2/events?filter[type]=${type}&filter[activity.id]=${activity.id}`);
  assert.ok(events.length > 0);
  const watched = Math.max(...events.map((event) => event.attributes.percentage_watched));
  assert.ok(watched >= 0.9 && watched <= 1, `${watched} of the video`);
  const progress = await api("GET", `/v1/analytics/courses?filter[course.id]=${course.id}`);
  assert.deepEqual(progress.map((row) => row.attributes.progress), [100]);
  checkRequests(server, { ...seen, requests: seen.requests.filter((url) => url !== media.address) });
  assert.ok(seen.requests.includes(media.address));
  await close();
});

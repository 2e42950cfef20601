// The script of the course player: it reports which share of a video was watched, and shows the
// progress of an upload. Without it the pages work as well.
"use strict";

const video = document.querySelector("video[data-watched]");
if (video) {
  let sent = 0;
  const watched = () => {
    let seconds = 0;
    for (let i = 0; i < video.played.length; i++) seconds += video.played.end(i) - video.played.start(i);
    return video.duration > 0 ? Math.min(1, seconds / video.duration) : 0;
  };
  const report = async (least) => {
    const share = watched();
    if (share - sent < least) return;
    sent = share;
    const body = new URLSearchParams({ watched: share.toFixed(6) });
    const response = await fetch(video.dataset.watched, { method: "POST", body, keepalive: true, redirect: "manual" });
    if (response.type === "opaqueredirect") location.reload(); // the session has ended
    if (response.ok && (await response.text()) === "done") {
      document.getElementById("done").textContent = "✓ " + video.dataset.done;
    }
  };
  const tell = (least) => report(least).catch(() => { sent = 0; }); // sent again with the next report
  video.addEventListener("timeupdate", () => tell(0.1));
  video.addEventListener("pause", () => tell(0.01));
  video.addEventListener("ended", () => tell(0.0001));
  document.addEventListener("visibilitychange", () => document.hidden && tell(0.01));
  video.addEventListener("error", () => { document.querySelector(".failed").hidden = false; });
}

const form = document.querySelector("form[data-upload]");
if (form) {
  const bar = form.querySelector("progress");
  const button = form.querySelector("button");
  const show = (page) => {
    const found = new DOMParser().parseFromString(page, "text/html").querySelector(".problems");
    document.querySelectorAll(".problems").forEach((old) => old.remove());
    if (found) form.before(found);
    return found;
  };
  form.addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    const request = new XMLHttpRequest();
    const end = () => { bar.hidden = true; button.disabled = false; };
    request.upload.addEventListener("progress", (at) => { if (at.lengthComputable) bar.value = (100 * at.loaded) / at.total; });
    request.addEventListener("load", () => {
      end();
      if (request.status < 400) location.assign(request.responseURL);
      else if (!show(request.responseText)) form.submit();
    });
    request.addEventListener("error", () => { end(); form.submit(); });
    bar.value = 0;
    bar.hidden = false;
    button.disabled = true;
    request.open("POST", form.action);
    request.send(new FormData(form));
  });
}

// Keeps one build of the page for use without a network. `cargo xtask build` writes the build and its files in here, so a
// new build is a new service worker, which keeps its own files apart from the old one's.
const BUILD = "dev";
const FILES = [];

const START = "hopscope-";
const CACHE = START + BUILD;

addEventListener("install", (event) => {
  const requests = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(requests))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  // The build before stays: a page still open may start its worker again.
  const tidy = async () => {
    const builds = (await caches.keys()).filter((name) => name.startsWith(START) && name !== CACHE);
    await Promise.all(builds.slice(0, -1).map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(tidy());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  // The page itself comes from the network if there is one, so a new build is seen at once; all else carries its build
  // in its address and is the same wherever it comes from.
  event.respondWith(
    request.mode === "navigate"
      ? fetch(request).catch(() => caches.open(CACHE).then((cache) => cache.match("./")))
      : caches.match(request).then((kept) => kept ?? fetch(request)),
  );
});

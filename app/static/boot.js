// Starts the program, in the page and in its workers. A file of its own, because the content
// security policy forbids inline scripts.
//
// The page's file names are relative, and all files of a build lie in one folder, so a name means
// the same file here, in the page and in a worker.

// `?v=BUILD`: the address of boot.js carries the build, and so does that of draw.js.
const { search } = new URL(import.meta.url);

// The first message to a worker is the page's own program: the name of its JavaScript and the
// compiled module (app/src/page/worker_link.rs). So nothing is downloaded or compiled twice, and
// page and worker are of one build. The third part is the name of a lock: the browser releases it
// when the worker ends, which is the only sign of a worker that the browser has ended.
function startWorker() {
  const start = async ({ data: [js, module, life] }) => {
    try {
      if (life) await hold(life);
      const { default: init } = await import(js);
      await init({ module_or_path: module });
    } catch (error) {
      // A string instead of a message tells the page that the worker did not start.
      postMessage(`worker did not start: ${error}`);
      throw error;
    }
  };
  addEventListener("message", start, { once: true });
}

// Takes a lock for as long as this worker lives.
const hold = (name) =>
  new Promise((held) => navigator.locks.request(name, () => (held(), new Promise(() => {}))));

async function startPage() {
  const { js, wasm } = document.getElementById("boot").dataset;
  try {
    const [{ default: init }] = await Promise.all([import(js), import(`./draw.js${search}`)]);
    await init({ module_or_path: new URL(wasm, import.meta.url) });
  } catch (error) {
    // The page's own texts are in the program, which is missing.
    const [words, again] = navigator.language.startsWith("es")
      ? [
          `Hopscope no ha podido arrancar: ${error}. Hacen falta una conexión y un navegador reciente con WebAssembly.`,
          "Reintentar",
        ]
      : [
          `Hopscope could not start: ${error}. It needs a connection and a recent browser with WebAssembly.`,
          "Try again",
        ];
    const note = document.createElement("p");
    note.setAttribute("role", "alert");
    note.textContent = words;
    const button = document.createElement("button");
    button.textContent = again;
    button.onclick = () => location.reload();
    document.body.replaceChildren(note, button);
    throw error;
  }
  const build = document.querySelector("meta[name=hopscope-build]").content;
  // Only a release has a service worker. It fetches all files again, so it starts when the first
  // scenario runs: at once, it delays that scenario by 0.3 s.
  const DELAY_MS = 3000;
  if (build !== "dev" && "serviceWorker" in navigator) {
    setTimeout(registerServiceWorker, DELAY_MS, build);
  }
}

// Registers the service worker, which keeps the page for use without a network, and asks for newer
// builds every hour and whenever the tab becomes visible.
async function registerServiceWorker(build) {
  const HOUR_MS = 3_600_000;
  // The page shows these events as messages (app/src/page/input.rs).
  const announce = (what) => window.dispatchEvent(new Event(`hopscope-${what}`));
  try {
    const registration = await navigator.serviceWorker.register("sw.js");
    registration.addEventListener("updatefound", () => {
      const newest = registration.installing;
      newest?.addEventListener("statechange", async () => {
        if (newest.state !== "activated") return;
        // The new service worker may be of the page's own build: at the first visit, or when the
        // page from the network was newer than the one kept.
        const builds = await caches.keys();
        announce(builds.at(-1) === `hopscope-${build}` ? "kept" : "renewed");
      });
    });
    if (registration.active) announce("kept");
    const update = () => registration.update().catch(() => {});
    setInterval(update, HOUR_MS);
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") update();
    });
  } catch (error) {
    // Private windows and plain http forbid service workers; everything else works.
    console.info(`Hopscope is not kept for use without a network: ${error}`);
  }
}

if (globalThis.document) await startPage();
else startWorker();

// Starts the simulation worker. Worker files carry no hash in their names, so the build id in ?v= keeps a new
// page from running an old worker out of some cache.
const version = new URL(import.meta.url).search;

try {
  const { default: init } = await import(`./worker.js${version}`);
  await init({ module_or_path: new URL(`./worker_bg.wasm${version}`, import.meta.url) });
} catch (error) {
  // The same message the panic hook sends (FromWorker::Panicked in app/src/protocol.rs).
  postMessage({ kind: "panicked", message: `worker did not start: ${error}` });
  throw error;
}

import { defineConfig } from "@playwright/test";

// The system's Chromium, without requests of its own.
const launchOptions = {
  executablePath: process.env.HOPSCOPE_CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

export default defineConfig({
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: !!process.env.CI,
  // On a machine of a CI service a test may fail for want of time. It is repeated once there, and
  // the summary lists it as flaky.
  retries: process.env.CI ? 1 : 0,
  workers: 2,
  // For a busy machine. A test that passes waits for conditions only, never for these limits.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    launchOptions,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1,
    locale: "en-GB",
    timezoneId: "UTC",
    // What was done and what the page logged, of a test that is repeated: recording every test
    // takes a tenth of the time.
    trace: { mode: "on-first-retry", screenshots: false, snapshots: false },
    screenshot: "only-on-failure",
  },
  projects: [
    { name: "e2e", testDir: "e2e" },
    // `cargo xtask measure`: prints numbers. Without traces, which would be measured too.
    { name: "measure", testDir: "measure", workers: 1, use: { trace: "off" } },
    // `cargo xtask screenshots`: takes the documentation's pictures.
    { name: "screenshots", testDir: "screenshots", use: { contextOptions: { reducedMotion: "reduce" } } },
  ],
});

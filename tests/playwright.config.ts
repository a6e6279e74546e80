import { defineConfig } from "@playwright/test";

// The system's Chromium; nothing it would ask of the network on its own.
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
  // A test that a crowded machine upset is run again, and told of as flaky.
  retries: 1,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    launchOptions,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1,
    locale: "en-GB",
    timezoneId: "UTC",
    trace: "retain-on-failure",
  },
  projects: [
    { name: "e2e", testDir: "e2e" },
    // Numbers, not checks: `cargo xtask measure`. A recorded trace would be measured with the page.
    { name: "measure", testDir: "measure", workers: 1, use: { trace: "off" } },
    // Pictures for the documentation, not checks: `cargo xtask screenshots`.
    { name: "screenshots", testDir: "screenshots", use: { contextOptions: { reducedMotion: "reduce" } } },
  ],
});

import { type Browser, chromium } from 'playwright-core'

/** For a Chromium without a window that asks nobody anything. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Debian's Chromium without a window, with a fresh profile. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  return await chromium.launch({ executablePath, args: browserArguments })
}

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Chromium without windows: a page in it costs half the processor time around it. */
const SHELL = { package: 'chromium-headless-shell', paths: ['/usr/bin/chromium-headless-shell'] }
const WHOLE = {
  package: 'chromium',
  paths: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
}

/**
 * Debian's Chromium, installed with apt where that is possible; `undefined` where there is none. `isWhole`: as people have
 * it, to measure and to take pictures.
 */
export function chromiumPath({ isWhole = false } = {}): string | undefined {
  const wanted = isWhole ? [WHOLE, SHELL] : [SHELL, WHOLE]
  const paths = [process.env.CHROMIUM, ...wanted.flatMap((each) => each.paths)]
  const find = () => paths.find((path) => path !== undefined && existsSync(path))
  for (const each of wanted) {
    if (find() !== undefined || !existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) break
    // Another worker of the run may be installing it at the moment.
    const wait = ['-o', 'DPkg::Lock::Timeout=300']
    spawnSync('apt-get', [...wait, 'install', '-y', '--no-install-recommends', each.package], { stdio: 'ignore' })
  }
  return find()
}

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })

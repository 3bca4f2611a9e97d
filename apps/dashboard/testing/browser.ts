import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PATHS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Debian's Chromium, installed with apt where that is possible; `undefined` where there is none. */
export function chromiumPath(): string | undefined {
  const find = () => PATHS.find((path) => path !== undefined && existsSync(path))
  if (find() === undefined && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    // Another worker of the run may be installing it at the moment.
    const wait = ['-o', 'DPkg::Lock::Timeout=300']
    spawnSync('apt-get', [...wait, 'install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'ignore' })
  }
  return find()
}

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })

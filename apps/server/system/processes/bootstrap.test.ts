import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import { createDataDir, environmentOf, processesOf } from './service-process.ts'

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url))
/** Replaces the npm that installs: prints its process id and would run for ten minutes. */
const INSTALLER = `#!/bin/sh
echo $$ > "$INSTALLER_PID"
exec sleep 600
`

/** This machine's npm, not the stand-in. */
const npm = process.env
  .PATH!.split(delimiter)
  .map((folder) => join(folder, 'npm'))
  .find((file) => existsSync(file))!

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)(
  'npm start stopped by %s to npm only during an installation leaves no installer and no claim',
  async (signal, code) => {
    const folder = await createDataDir()
    const inside = (...path: string[]) => join(folder.path, ...path)
    await mkdir(inside('scripts'))
    for (const file of ['package.json', 'package-lock.json', 'scripts/bootstrap.mjs'])
      await copyFile(join(REPOSITORY, file), inside(file))
    await mkdir(inside('bin'))
    await writeFile(inside('bin', 'npm'), INSTALLER, { mode: 0o755 })
    const PATH = [inside('bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
    const child = spawn(npm, ['start'], {
      cwd: folder.path,
      env: environmentOf({ PATH, INSTALLER_PID: inside('installer.pid') }),
      stdio: 'ignore',
    })
    const ended = once(child, 'close')
    try {
      await until(async () => existsSync(inside('installer.pid')) && readFileSync(inside('installer.pid')).length > 0)
      expect(existsSync(inside('.bootstrap.pid'))).toBe(true)
      child.kill(signal)
      expect((await ended)[0]).toBe(code)
      await until(async () => (await processesOf(folder.path)).length === 0)
      for (const left of ['.bootstrap.pid', '.bootstrap', 'node_modules']) expect(existsSync(inside(left))).toBe(false)
    } finally {
      for (const line of await processesOf(folder.path)) process.kill(Number(line.split(' ', 1)[0]), 'SIGKILL')
      await folder.remove()
    }
  },
)

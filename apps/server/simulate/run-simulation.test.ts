import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../testing/until.ts'

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a simulation that %s interrupts leaves no folder and says nothing', async (signal, code) => {
  const temporary = await mkdtemp(join(tmpdir(), 'weir-test-simulate-'))
  // As root, PostgreSQL runs as another user, which must be able to traverse the folder.
  await chmod(temporary, 0o711)
  const child = spawn(process.execPath, ['--conditions=@weir/source', join(import.meta.dirname, 'simulate.ts')], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(String(part)))
  const ended = once(child, 'close')
  try {
    await until(async () =>
      (await readdir(temporary, { recursive: true })).some((name) => name.endsWith('postmaster.pid')),
    )
    child.kill(signal)
    expect(await ended).toEqual([code, null])
    expect(await readdir(temporary)).toEqual([])
    expect(said).toEqual([])
  } finally {
    child.kill('SIGKILL')
    await rm(temporary, { recursive: true, force: true })
  }
})

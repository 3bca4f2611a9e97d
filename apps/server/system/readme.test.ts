import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { copyPreparedFolder } from './prepared-folder.ts'
import { createDataDir, startProcess } from './service-process.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const FUNDED = 1_000_000_000n

/** Both tours wait for chains and an agent at every step, which takes minutes on a busy machine. */
const TIMEOUT_MS = 300_000

test('the documented tours run as written and end with more funds than they began with', {
  timeout: TIMEOUT_MS,
}, async ({ signal }) => {
  const data = await createDataDir()
  await copyPreparedFolder(data.path, {})
  // The tours expect the repository's layout, with packages next to the data.
  const folder = await createDataDir()
  const dataDir = join(folder.path, '.data')
  await rename(data.path, dataDir)
  for (const name of ['node_modules', 'package.json', 'scripts', 'apps', 'packages']) {
    await symlink(join(repository, name), join(folder.path, name))
  }
  const service = await startProcess({ DATA_DIR: dataDir })
  try {
    const script = join(folder.path, 'tour.sh')
    await writeFile(script, `${await blocksOf('docs/quick-start.md')}\n${await blocksOf('docs/treasury-tour.md')}`)
    const stdout = await runScript(script, folder.path, signal)
    expect(stdout.match(/^(CONFIRMED|FAILED)$/gm), stdout).toEqual(['CONFIRMED', 'CONFIRMED'])
    const left = [...stdout.matchAll(/"token": "USDC",\s+"tokenAddress": "\w+",\s+"available": "(\d+)"/g)]
    expect(BigInt(left.at(-1)?.[1] ?? 0)).toBeGreaterThan(FUNDED)
    const [deployed, grown, back] = [...stdout.matchAll(/^(\d+)\.\d+ liquid, deployed (\d+\.\d+)$/gm)].map(
      ([, liquid, worth]) => ({ liquid, worth: Number(worth) }),
    )
    expect(deployed).toMatchObject({ liquid: '1000' })
    expect(grown!.worth).toBeGreaterThan(deployed!.worth)
    expect(back).toMatchObject({ liquid: '3000' })
    expect(back!.worth).toBeLessThan(grown!.worth)
  } finally {
    await service.end()
    await folder.remove()
  }
})

/** Runs a script and returns its output. Aborting the test stops the script and everything it started. */
async function runScript(script: string, cwd: string, signal: AbortSignal): Promise<string> {
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const shell = spawn('bash', ['-euo', 'pipefail', script], { cwd, detached: true, stdio: [...stdio] })
  const breakOff = () => process.kill(-shell.pid!, 'SIGTERM')
  signal.addEventListener('abort', breakOff)
  const [[code], stdout, stderr] = await Promise.all([once(shell, 'close'), text(shell.stdout!), text(shell.stderr!)])
  signal.removeEventListener('abort', breakOff)
  expect(code, `${stdout}\n${stderr}`).toBe(0)
  return stdout
}

/** A document's shell blocks, in order. */
async function blocksOf(name: string): Promise<string> {
  const text = await readFile(join(repository, name), 'utf8')
  return [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block).join('\n')
}

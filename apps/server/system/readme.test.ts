import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { copyPreparedFolder } from './prepared-folder.ts'
import { createDataDir, startProcess } from './service-process.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const FUNDED = 1_000_000_000n

/** Pages whose blocks continue in one terminal. */
const TOURS = ['quick-start', 'integrate-v1', 'testing', 'treasury-tour', 'ramp']
/** A block of another page that only sends a request, with what the tours set. */
const A_REQUEST = /^(?:BODY=.*\n|SECRET=\$\()?curl [^\n]*"\$BASE/
/** Blocks that need what the tours lack: other people, a second factor, a mail, a domain; or that wait. */
const NEEDS_MORE =
  /…|"0x\.\.\.|^npm |signed-approvals|change-policy|secondFactorRequired|second-factor|invitations|sso\/domains|event-stream|waitMs|\$ID/
const STRICT_CURL =
  'curl() { command curl --silent --show-error --fail-with-body "$@" || { echo "refused: $*" >&2; return 1; }; }'

/** Both tours wait for chains and an agent at every step, which takes minutes on a busy machine. */
const TIMEOUT_MS = 300_000

test('the documented tours and requests run as written, and the tours end with more funds than they began with', {
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
  const service = await startProcess({ DATA_DIR: dataDir, RATE_LIMIT_MULTIPLIER: '10' })
  try {
    const script = join(folder.path, 'tour.sh')
    const tours = TOURS.map((page) => blocksOf(`docs/${page}.md`, /^/))
    const requests = globSync('docs/*.md', { cwd: repository }).filter(
      (name) => !TOURS.some((tour) => name === `docs/${tour}.md`),
    )
    const blocks = [...tours, [STRICT_CURL], ...requests.map((name) => blocksOf(name, A_REQUEST))].flat()
    await writeFile(script, blocks.join('\n'))
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

/** A document's shell blocks of a form, in order. */
function blocksOf(name: string, form: RegExp): string[] {
  const blocks = readFileSync(join(repository, name), 'utf8').matchAll(/^```(?:bash|sh)\n(.*?)^```$/gms)
  return [...blocks].map(([, block = '']) => block).filter((block) => form.test(block) && !NEEDS_MORE.test(block))
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startDnsServer } from '../../testing/stand-ins/dns-server.ts'
import { createDataDir, startProcess } from '../processes/service-process.ts'
import { copyPreparedFolder } from '../service/prepared-folder.ts'
import { repository } from './documented-blocks.ts'
import { tourScript } from './documented-tour.ts'

const FUNDED = 1_000_000_000n

/** Both tours wait for chains and an agent at every step, which takes minutes on a busy machine. */
const TIMEOUT_MS = 400_000

test('the documented tours, requests and host commands run as written, and the tours end with more funds than they began with', {
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
  const names = await startDnsServer()
  const published = join(dataDir, 'txt-record')
  names.records.get = () => (existsSync(published) ? readFileSync(published, 'utf8').trim() : undefined)
  const service = await startProcess({
    DATA_DIR: dataDir,
    RATE_LIMIT_MULTIPLIER: '10',
    DNS_SERVERS: names.address,
    AUDIT_ANCHOR: `file:${join(dataDir, 'anchors.ndjson')}`,
  })
  try {
    const script = join(folder.path, 'tour.sh')
    await writeFile(script, tourScript(readFileSync(join(import.meta.dirname, 'documented-tour.sh'), 'utf8')))
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
    expect(stdout).toMatch(/^retry: \d+$/m)
    expect(stdout).toMatch(/"verifiedAt":"/)
    expect(stdout).toMatch(/anchors\.ndjson: \d+ anchors, unchanged/)
    expect(stdout).toMatch(/"signedApprovals":true/)
  } finally {
    await service.end()
    await names.close()
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

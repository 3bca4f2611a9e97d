import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writePackage } from '../../../deploy/package/write-package.ts'
import { createDataDir, environmentOf, type ServiceProcess, watch } from '../system/processes/service-process.ts'
import { programFile } from '../testing/processes/program-file.ts'
import type { BenchEnvironment } from './bench-environment.ts'
import { type Comparison, summary } from './compare.ts'
import { PARTS, type Part, readUsage, type Usage } from './process-usage.ts'

const MEMORY_MIB = 150
const START_SECONDS = 3
const MAIN = new URL('../src/main.ts', import.meta.url)

interface Length {
  readonly starts: number
  /** What the start left behind is not idle memory. */
  readonly settleMs: number
  readonly minutes: number
  readonly samples: number
  readonly sampleMs: number
}
const FULL: Length = { starts: 7, settleMs: 30_000, minutes: 4, samples: 12, sampleMs: 5_000 }
const TINY: Length = { starts: 1, settleMs: 0, minutes: 1, samples: 1, sampleMs: 0 }

/**
 * A sandbox with four chains that nobody uses: the seconds until it is ready on the data of the last run, and what it
 * holds and uses afterwards. Measures the package, installed and started as docs/install-systemd.md does; the short form
 * starts the clone.
 */
export async function idleBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'weir-idle-'))
  const data = await createDataDir()
  const length = workplace.sized(FULL, TINY)
  let service: ServiceProcess | undefined
  try {
    const start = workplace.sized(installPackage, useClone)(folder, data.path)
    if (start === undefined) return []
    // The first start creates the data and fills the compile cache.
    service = await start()
    const seconds: number[] = []
    for (let round = 0; round < length.starts; round += 1) {
      await service.end()
      const began = performance.now()
      service = await start()
      seconds.push((performance.now() - began) / 1_000)
    }
    const sorted = seconds.toSorted((a, b) => a - b)
    const middle = sorted[Math.floor(sorted.length / 2)]!
    const { least, most, peaks } = await watchUsage(service.pid, length)
    return [
      summary(
        `Warm start: ready after ${middle.toFixed(1)} s`,
        `${START_SECONDS} s`,
        seconds.map((each) => START_SECONDS / each),
        1,
      ),
      summary(
        `Idle service: ${least} to ${most} MiB (PSS), the most of each minute`,
        `${MEMORY_MIB} MiB`,
        peaks.map((each) => MEMORY_MIB / each),
        1,
      ),
    ]
  } finally {
    await service?.end()
    await data.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Start = () => Promise<ServiceProcess>

/** Installs from npm's cache, and from the registry what it lacks. Undefined, and said loudly, where neither is enough. */
function installPackage(folder: string, dataDir: string): Start | undefined {
  const installed = join(folder, 'weir')
  writePackage(installed, { isLive: false })
  const args = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', args, { cwd: installed, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) {
    // The other benches of a run have been measured by then.
    console.error('SKIPPED: idle, because npm could not install the package: see above')
    return undefined
  }
  const env = environmentOf({
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  })
  return () =>
    watch(
      spawn(process.execPath, ['--max-semi-space-size=8', 'weir.mjs', 'start'], {
        cwd: installed,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
}

function useClone(_folder: string, dataDir: string): Start {
  const env = environmentOf({ DATA_DIR: dataDir })
  return () =>
    watch(spawn(process.execPath, [programFile('service', MAIN)], { env, stdio: ['ignore', 'pipe', 'pipe'] }))
}

interface IdleMemory {
  /** In whole MiB. */
  readonly least: number
  readonly most: number
  /** The most of each minute, in MiB. */
  readonly peaks: readonly number[]
}

/** Also prints what PostgreSQL and the chains hold, and what each part uses of a core. */
async function watchUsage(pid: number, { settleMs, minutes, samples, sampleMs }: Length): Promise<IdleMemory> {
  await pause(settleMs)
  const began = performance.now()
  const first = await readUsage(pid)
  const taken: Usage[][] = []
  for (let minute = 0; minute < minutes; minute += 1) {
    const usages: Usage[] = []
    for (let sample = 0; sample < samples; sample += 1) {
      await pause(sampleMs)
      usages.push(await readUsage(pid))
    }
    taken.push(usages)
  }
  const elapsed = (performance.now() - began) / 1_000
  const all = taken.flat()
  const memory = (part: Part) => all.map((usage) => usage[part].mebibytes)
  const said = PARTS.map((part) => {
    const [least, most] = [Math.min(...memory(part)), Math.max(...memory(part))].map(Math.round)
    const share = ((all.at(-1)![part].seconds - first[part].seconds) / elapsed) * 100
    return `${part} ${least} to ${most} MiB, ${share.toFixed(1)}% of a core`
  })
  console.error(`  idle for ${Math.round(elapsed)} s: ${said.join('; ')}`)
  const own = memory('service')
  return {
    least: Math.round(Math.min(...own)),
    most: Math.round(Math.max(...own)),
    peaks: taken.map((usages) => Math.max(...usages.map(({ service }) => service.mebibytes))),
  }
}

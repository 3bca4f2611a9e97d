import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { until } from '../testing/until.ts'
import { readUsage } from './process-usage.ts'

test('what a process and its children hold and used is read apart, and nothing of other processes', async () => {
  // Counts its own processor time: on a busy machine, a while by the clock may be none of it.
  const busy = 'while (process.cpuUsage().user < 300_000); console.log("used")'
  const parent = spawn(
    process.execPath,
    [
      '-e',
      `const held = Buffer.alloc(64 * 1_048_576, 1)
      require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`${busy}; setInterval(() => {}, 1000)`)}],
        { stdio: ['ignore', 'inherit', 'inherit'] })
      process.on('exit', () => held.length)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  )
  try {
    await once(parent.stdout, 'data')
    const usage = await until(async () => {
      const read = await readUsage(parent.pid!)
      return read.chains.seconds > 0.1 ? read : undefined
    })
    expect(usage.service.mebibytes).toBeGreaterThan(64)
    expect(usage.service.mebibytes).toBeLessThan(250)
    expect(usage.chains.mebibytes).toBeGreaterThan(5)
    expect(usage.chains.mebibytes).toBeLessThan(usage.service.mebibytes)
    expect(usage.PostgreSQL).toEqual({ mebibytes: 0, seconds: 0 })
  } finally {
    process.kill(-parent.pid!, 'SIGKILL')
    await once(parent, 'close')
  }
})

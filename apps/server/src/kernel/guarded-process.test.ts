import { expect, test } from 'vitest'
import { type GuardOptions, startGuarded } from './guarded-process.ts'

function guard(program: string, more: Partial<GuardOptions> = {}) {
  const lines: string[] = []
  const guarded = startGuarded(process.execPath, ['-e', program], {
    stopSignal: 'INT',
    onLine: (line) => lines.push(line),
    ...more,
  })
  return { guarded, lines }
}

test('a program that is released ends, and the guard adds no line to the program’s own', async () => {
  const { guarded, lines } = guard(`
    process.on('SIGINT', () => { console.error('stopped'); process.exit(0) })
    setInterval(() => {}, 1_000)
    console.error('started')`)
  await expect.poll(() => lines).toEqual(['started'])
  guarded.release()
  expect(await guarded.ended).toBe(0)
  expect(lines).toEqual(['started', 'stopped'])
})

test('a program that ends by itself ends the guard with its exit code, without a line', async () => {
  const { guarded, lines } = guard('process.exit(7)')
  expect(await guarded.ended).toBe(7)
  expect(lines).toEqual([])
})

test('TERM stops a program that does not handle signals yet', async () => {
  // It inherits from its guard that INT is ignored, as every program does until it handles the signal.
  const guarded = startGuarded('sleep', ['600'], { stopSignal: 'TERM', onLine: () => undefined })
  guarded.release()
  expect(await guarded.ended).toBe(143)
})

test('a program gets the named variables only, and its output is read line by line', async () => {
  const output: string[] = []
  const { guarded } = guard('console.log(process.env.OWN); console.log(String(process.env.HOME))', {
    env: { OWN: 'its own' },
    onOutput: (line) => output.push(line),
  })
  expect(await guarded.ended).toBe(0)
  expect(output).toEqual(['its own', 'undefined'])
})

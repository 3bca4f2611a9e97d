import { expect, test } from 'vitest'
import { startGuarded } from './watchdog.ts'

function guard(program: string) {
  const lines: string[] = []
  const guarded = startGuarded(process.execPath, ['-e', program], {
    uid: undefined,
    keepOpen: [],
    onLine: (line) => lines.push(line),
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

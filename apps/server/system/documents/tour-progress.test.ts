import { expect, test } from 'vitest'
import { withProgress } from '../../tour/with-progress.ts'

test('a long wait prints every ten seconds what it waits for and for how long, until it is done', async () => {
  const said: string[] = []
  const open = ['ethereum', 'solana']
  let tick = () => {}
  let isOver = false
  const repeat = (run: () => void) => {
    tick = run
    return () => {
      isOver = true
    }
  }
  const what = () => `the deployment on ${open.join(', ')}`
  const done = await withProgress(
    (line) => said.push(line),
    what,
    async () => {
      tick()
      open.shift()
      tick()
      return 'deployed'
    },
    repeat,
  )
  expect({ done, isOver }).toEqual({ done: 'deployed', isOver: true })
  expect(said).toEqual([
    '… still waiting for the deployment on ethereum, solana (10 s)',
    '… still waiting for the deployment on solana (20 s)',
  ])
})

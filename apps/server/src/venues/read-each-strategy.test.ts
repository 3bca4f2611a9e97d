import { expect, test } from 'vitest'
import { loggedLines } from '../../testing/logged-lines.ts'
import { ContractUnavailableError } from './contract-unavailable.ts'
import type { Strategy } from './port.ts'
import { readEachStrategy } from './read-each-strategy.ts'

const strategies = ['a', 'b'].map((key) => ({ key }) as Strategy)

test('a strategy that cannot be read is left out, and logged once until it can be read again', async () => {
  const { log, lines, take } = loggedLines()
  let isBroken = true
  const read = async ({ key }: Strategy) => {
    if (isBroken && key === 'b') throw new ContractUnavailableError('0xb', 'convertToAssets')
    return key
  }
  for (let block = 0; block < 5; block += 1) expect(await readEachStrategy(strategies, read, { log })).toEqual(['a'])
  expect(lines).toMatchObject([{ level: 40, strategy: 'b', msg: 'failed to read a strategy; it is left out' }])
  take()
  isBroken = false
  for (let block = 0; block < 2; block += 1)
    expect(await readEachStrategy(strategies, read, { log })).toEqual(['a', 'b'])
  expect(lines).toMatchObject([{ strategy: 'b', failures: 5, msg: 'a strategy can be read again' }])
})

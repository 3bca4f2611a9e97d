import { expect, test } from 'vitest'
import { startProgram } from '../../../testing/index.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { RAMP_KEY, type RampClient } from '../../../testing/ramp/ramp-client.ts'
import { startRampFixture } from '../../../testing/ramp/ramp-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import type { RampDirection } from '../../database/index.ts'
import { SCENARIOS, type Scenario } from '../provider/port.ts'
import { SCENARIO_STEPS } from './scenarios.ts'

/**
 * A process is killed, as by SIGKILL, before and after the commits and sends of each scenario, on a real chain and a
 * real database. The restarted process must bring the payment to the end of its scenario: no step is skipped or emitted
 * twice, and no token is delivered, taken or returned twice.
 */
const USD = 1_000_00n
const NET = 997_500_000n
/**
 * Each point costs two processes: `npm run crash` visits all of them, `npm test` only the two scenarios that send most,
 * at every send and once in the middle.
 */
const VISITS_ALL = process.env.CRASH_POINTS === 'all'
const SENDS_OF = ['onramp success', 'offramp rejected']
const STARTS_MAX = 4

const fixture = useFixture(startRampFixture)

const cases = (['onramp', 'offramp'] as const).flatMap((direction) =>
  SCENARIOS.map((scenario): [RampDirection, Scenario] => [direction, scenario]),
)

test.each(cases.filter((named) => VISITS_ALL || SENDS_OF.includes(named.join(' '))))(
  '%s, %s: killed at any point and restarted, it ends as if nothing had happened',
  { timeout: 900_000 },
  async (direction, scenario) => {
    const whole = await carryOut(direction, scenario, undefined)
    const labels = JSON.parse(whole.at(-1)?.replace('done ', '') ?? '[]') as string[]
    const middle = Math.ceil(labels.length / 2)
    const visits = (label: string, point: number) => VISITS_ALL || point === middle || label.endsWith('send')
    const visited = labels.flatMap((label, index) => (visits(label, index + 1) ? [index + 1] : []))
    expect(visited.length).toBeGreaterThan(0)
    for (const dieAt of visited) {
      const said = await carryOut(direction, scenario, dieAt)
      expect(said[0], `killed at point ${dieAt}`).toMatch(/^died at/)
    }
    await expectValidFiatLedger(fixture.parts)
  },
)

/** A payment of a new organization; the first process dies at that point. Returns the output of the processes. */
async function carryOut(direction: RampDirection, scenario: Scenario, dieAt: number | undefined): Promise<string[]> {
  const client = await fixture.organization()
  const account = direction === 'onramp' ? await client.onramp() : await client.offramp()
  const chain = fixture.sandbox.embedded.sandbox.get('base')!
  const said: string[] = []
  for (let start = 0; start < STARTS_MAX; start += 1) {
    const input = {
      databaseUrl: fixture.sandbox.database.url,
      rpcUrl: await fixture.sandbox.nodeUrl('base'),
      network: chain.network,
      genesisHash: chain.genesisHash,
      treasury: { key: chain.treasury.key, address: chain.treasury.address },
      encryptionKey: RAMP_KEY,
      organizationId: client.organizationId,
      direction,
      scenario,
      usdCents: USD.toString(),
      start,
      ...(start === 0 && dieAt !== undefined ? { dieAt } : {}),
    }
    const child = startProgram('crashing-ramp', [JSON.stringify(input)])
    const line = await child.line('')
    said.push(line)
    await child.kill()
    if (line.startsWith('done')) break
  }
  expect(said.at(-1), `killed at point ${dieAt}`).toMatch(/^done/)
  await expectOneEffect(client, direction, scenario, account.depositAddress)
  return said
}

async function expectOneEffect(
  client: RampClient,
  direction: RampDirection,
  scenario: Scenario,
  depositAddress: string | null,
): Promise<void> {
  const transactions = await client.transactions()
  expect(transactions).toHaveLength(1)
  const steps = SCENARIO_STEPS[direction][scenario].filter((step) => step !== 'give_back')
  expect(transactions[0]!.statusHistory.map(({ status }) => status)).toEqual(steps)
  const told = await fixture.parts.db
    .selectFrom('outbox')
    .select('event')
    .where('organization_id', '=', client.organizationId)
    .where('object_type', '=', 'ramp_transaction')
    .execute()
  const updates = told.filter(({ event }) => event.endsWith('.updated'))
  // The return of the tokens is emitted as an update without a new status.
  expect(updates).toHaveLength(SCENARIO_STEPS[direction][scenario].length)
  expect(told.length - updates.length).toBe(scenario === 'reversed' ? 2 : 1)

  const isKept = scenario === 'success' || scenario === 'reversed'
  if (direction === 'onramp') expect(await client.usdc()).toBe(isKept ? NET : 0n)
  else {
    expect(await client.usdc(depositAddress!)).toBe(isKept ? USD * 10_000n : 0n)
    expect(await client.usdc()).toBe(isKept ? 0n : USD * 10_000n)
  }
}

// The other ways to accept and to refuse: circuit-breakers.test.ts, breakers/accept-breaker.test.ts.
import { beforeEach, expect, test } from 'vitest'
import { CHANGE_SECRETS } from '../../../../testing/changes/change-secrets.ts'
import { documentedRequest } from '../../../../testing/source/documented-request.ts'
import { useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { evaluateBreakers } from '../../../breakers/index.ts'
import { readConfig } from '../../../config.ts'
import { refreshRates, refreshRiskFacts } from '../../../venues/index.ts'
import { changePolicyRoutes, changeRequestRoutes } from '../index.ts'
import { circuitBreakerRoutes } from './circuit-breakers.ts'

const treasury = useTreasury((app, parts) => {
  circuitBreakerRoutes(app, { ...parts, rebalancing: readConfig({}).rebalancing })
  changePolicyRoutes(app, { ...parts, ...CHANGE_SECRETS })
  changeRequestRoutes(app, { ...parts, ...CHANGE_SECRETS })
})

const PATH = '/api/core/circuit-breakers'
const AAVE = 'aave-v3:polygon:USDC'
type Kind = 'depeg' | 'upgrade'
const strategyId = () => treasury.engine.strategy(AAVE).id

beforeEach(async () => {
  const settings = { maxPriceFall: null, maxPegDistance: '2.00', minWithdrawableShare: null, onUpgrade: true }
  const set = await treasury.send('PUT', PATH, { ...settings, withdraw: false, recoverySeconds: 60 })
  expect(set.status).toBe(200)
  await refreshRates(treasury.engine.parts, treasury.engine.chain)
  await peg(100_000_000n)
  await runs('0')
})

/** Reads the facts of a chain whose contracts run this code, and evaluates the breakers unless it is too early. */
async function runs(code: string, isEvaluated = true): Promise<void> {
  const { chain, parts } = treasury.engine
  const contractCode = async (addresses: readonly string[]) =>
    (await chain.contractCode!(addresses)).map((each) => ({ ...each, codeHash: `0x${code.repeat(64)}` }))
  const upgraded = { ...chain, contractCode }
  await refreshRiskFacts(parts, upgraded)
  if (isEvaluated) await evaluateBreakers(parts)
}
/** The same for the price of the token. */
async function peg(tokenPrice: bigint, isEvaluated = true): Promise<void> {
  await treasury.dev.setStrategyState(AAVE, { tokenPrice })
  await runs('0', isEvaluated)
}
const shown = async (kind: Kind) =>
  (await treasury.read(PATH)).breakers.find(
    (one: { strategyId: number; kind: Kind }) => one.strategyId === strategyId() && one.kind === kind,
  )
const accept = (kind: Kind, observation?: string, changeRequestId?: number) =>
  treasury.send(
    'POST',
    `${PATH}/accept`,
    { strategyId: strategyId(), kind, ...(observation !== undefined && { observation }) },
    { token: treasury.staff.tokens.admin, ...(changeRequestId !== undefined && { changeRequestId }) },
  )
const differs = (observation: string) => ({
  status: 409,
  body: { code: 'CONFLICT', details: { reason: 'observation_differs', observation } },
})
/** What events announced about the breaker, oldest first. */
async function announced(kind: Kind): Promise<unknown[]> {
  const { engine, staff } = treasury
  const sent = engine.db
    .selectFrom('outbox')
    .select(['event', 'data'])
    .where('organization_id', '=', staff.organizationId)
    .where('event', '=', 'strategy.breaker_opened')
    .orderBy('id')
  return (await sent.execute())
    .filter(({ data }) => data.breaker === kind && data.strategyId === strategyId())
    .map(({ data }) => data.observation)
}

test('code that replaces the code that was seen is announced, and is not accepted in its place', async () => {
  await runs('a')
  const seen = (await shown('upgrade')).observation
  expect(await announced('upgrade')).toEqual([seen])

  await runs('b', false)
  const refused = await accept('upgrade', seen)
  const there = refused.body.details?.observation
  expect(refused).toMatchObject(differs(there))
  expect(there).not.toBe(seen)
  expect((await shown('upgrade')).state).toBe('open')
  expect(await accept('upgrade'), 'no event announced it').toMatchObject(differs(there))

  await evaluateBreakers(treasury.engine.parts)
  await evaluateBreakers(treasury.engine.parts)
  expect(await announced('upgrade')).toEqual([seen, there])
  expect(await shown('upgrade')).toMatchObject({ state: 'open', observation: there })
  expect(await accept('upgrade', seen)).toMatchObject(differs(there))
  expect((await accept('upgrade', there)).body.data).toMatchObject({ state: 'accepted', observation: there })
  await runs('b')
  expect(await shown('upgrade')).toBeUndefined()
  expect((await treasury.audited('acceptCircuitBreaker'))[0]!.details).toMatchObject({ observation: there })
})

test('code that was replaced and came back while nobody looked is announced once for each', async () => {
  for (const code of ['a', '0', 'a', '0', 'b']) await runs(code)
  const [first, second, ...more] = await announced('upgrade')
  expect(first).not.toBe(second)
  expect(more).toEqual([])
})

test('a loss that grew since it was seen is announced, and is not accepted in place of the smaller one', async () => {
  await peg(97_000_000n)
  expect(await shown('depeg')).toMatchObject({ measure: '3.00', observation: '3.00' })
  await peg(96_000_000n)
  expect(await announced('depeg'), 'within the threshold').toEqual(['3.00'])
  await peg(70_000_000n, false)
  expect(await accept('depeg', '3.00')).toMatchObject(differs('30.00'))
  expect(await accept('depeg')).toMatchObject(differs('30.00'))
  await evaluateBreakers(treasury.engine.parts)
  await evaluateBreakers(treasury.engine.parts)
  expect(await announced('depeg')).toEqual(['3.00', '30.00'])
  expect(await shown('depeg')).toMatchObject({ state: 'open', measure: '30.00', observation: '30.00' })
  expect(await accept('depeg', '3.00')).toMatchObject(differs('30.00'))
  expect((await accept('depeg', '30.00')).body.data).toMatchObject({ state: 'accepted' })
})

test('the request of docs/risk.md accepts what was seen', async () => {
  await peg(97_000_000n)
  const { method, path, body } = documentedRequest('docs/risk.md', `${PATH}/accept`)
  const sent = { ...(body as object), strategyId: strategyId() }
  expect((await treasury.send(method as 'POST', path, sent)).body.data).toMatchObject({ state: 'accepted' })
})

test('what was accepted is the loss that was seen: it opens again beyond that by the threshold', async () => {
  await peg(97_000_000n)
  await peg(95_500_000n, false)
  expect((await accept('depeg', '3.00')).body.data).toMatchObject({ state: 'accepted', measure: '3.00' })
  await peg(95_000_000n)
  expect((await shown('depeg')).state).toBe('accepted')
  await peg(94_900_000n)
  expect(await shown('depeg')).toMatchObject({ state: 'open', observation: '5.10' })
})

test('under a rule, members approve what was seen, and nothing else is accepted when the change is made', async () => {
  const { owner, approver } = treasury.staff.tokens
  const rules = { approval_policy: { requiredApprovals: 1, coolingOffSeconds: 0 } }
  await treasury.send('PUT', '/api/core/change-policy', { rules }, { token: owner })
  const approved = async (observation?: string): Promise<number> => {
    const { id, request } = (await accept('upgrade', observation)).body.data
    expect(request.body.observation).toBe(observation)
    const path = `/api/core/change-requests/${id}/approve`
    expect((await treasury.send('POST', path, {}, { token: approver })).status).toBe(200)
    return id
  }
  await runs('a')
  const { observation: seen } = await shown('upgrade')
  const named = await approved(seen)
  const unnamed = await approved()
  treasury.engine.clock.advance(1_000)
  await runs('b')
  const { observation: there } = await shown('upgrade')
  expect(await accept('upgrade', there, named)).toMatchObject({
    status: 409,
    body: { details: { reason: 'change_request_mismatch' } },
  })
  expect(await accept('upgrade', seen, named)).toMatchObject(differs(there))
  expect(await accept('upgrade', undefined, unnamed), 'announced after it was requested').toMatchObject(differs(there))
  expect((await shown('upgrade')).state).toBe('open')
  expect((await accept('upgrade', there, await approved(there))).body.data).toMatchObject({ state: 'accepted' })
})

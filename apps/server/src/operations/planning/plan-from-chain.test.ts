// Also tested in: operations/planning/plan-claim.test.ts and operations/planning/plan-revocation.test.ts (its callers).
import { expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import type { Transact } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { revocationStep } from '../../venues/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import type { PlanTargetInput } from './find-plan-target.ts'
import { planFromChain, type ReadChainPlan } from './plan-from-chain.ts'

const AAVE = 'aave-v3:polygon:USDC'
const use = useEngine()

/** A plan whose amount is the number of the latest block: a value that only the chain has. */
const blockNumberPlan: ReadChainPlan = async (chain, strategy) => {
  const { latest } = await chain.heads()
  return { type: 'REVOKE', amount: BigInt(latest.number), steps: [revocationStep(strategy)] }
}
interface Planning {
  readonly read?: ReadChainPlan
  readonly input?: Partial<PlanTargetInput>
  readonly transact?: Transact<Operation>
}
const plan = ({ read = blockNumberPlan, input, transact }: Planning = {}) => {
  const { scope, wallet } = use.client
  const target = { scope, walletId: wallet.walletId, strategyId: use.engine.strategy(AAVE).id, requestedBy: BY_KEY }
  return planFromChain(use.engine.parts, { ...target, ...input }, read, transact)
}
const planned = () =>
  use.engine.db
    .selectFrom('operations')
    .select(['id', 'state'])
    .where('wallet_id', '=', use.client.wallet.walletId)
    .orderBy('id')
    .execute()

test('the chain determines the amount, and the plan is ready to sign', async () => {
  const { latest } = await use.engine.chain.heads()
  expect(await plan()).toMatchObject({ state: 'EXECUTING', executor: 'client', amount: BigInt(latest.number) })
})

test('what the chain refuses is not planned', async () => {
  const read: ReadChainPlan = async () => {
    throw new Failure('ALLOCATION_NOT_FOUND')
  }
  await expect(plan({ read })).rejects.toMatchObject({ code: 'ALLOCATION_NOT_FOUND' })
  const reverting: ReadChainPlan = async (chain, strategy, wallet) => {
    const { steps, ...rest } = await blockNumberPlan(chain, strategy, wallet)
    // Tokens do not take a call without data.
    return { ...rest, steps: steps.map((step) => ({ ...step, call: { ...step.call, data: '0x' } })) }
  }
  await expect(plan({ read: reverting })).rejects.toMatchObject({ code: 'SIMULATION_FAILED' })
  expect(await planned()).toEqual([])
})

test('a wallet or strategy that does not exist is refused before the chain is read', async () => {
  const read: ReadChainPlan = () => expect.unreachable('nothing is there to plan for')
  const refused = (input: Partial<PlanTargetInput>) => expect(plan({ read, input })).rejects
  await refused({ walletId: 4_711_000 }).toMatchObject({ code: 'WALLET_NOT_FOUND' })
  await refused({ strategyId: 4_711_000 }).toMatchObject({ code: 'STRATEGY_NOT_FOUND' })
})

test('an operation that has expired refuses no plan, even before a sweep has ended it', async () => {
  const waiting = await use.client.supply(600n * USDC)
  use.engine.clock.advance(120_000)
  const { operationId } = await plan({ input: { ifBusy: 'reject' } })
  expect(await planned()).toEqual([
    { id: waiting.operationId, state: 'FAILED' },
    { id: operationId, state: 'EXECUTING' },
  ])
})

test('an operation that waits for a signature is superseded, or refuses the plan, as the caller chooses', async () => {
  const waiting = await use.client.supply(600n * USDC)
  await expect(plan({ input: { ifBusy: 'reject' } })).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
  const { operationId } = await plan()
  expect(await planned()).toEqual([
    { id: waiting.operationId, state: 'ABORTED' },
    { id: operationId, state: 'EXECUTING' },
  ])
})

test('a plan commits with what its caller commits, or not at all', async () => {
  const transact = failingTransact<Operation>(use.engine.db, 'the response could not be stored')
  await expect(plan({ transact })).rejects.toThrow('could not be stored')
  expect(await planned()).toEqual([])
})

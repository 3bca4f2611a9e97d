import { approveOperation, rejectOperation } from '../../src/operations/index.ts'
import {
  allocate,
  evaluateDueWallets,
  findWithdrawTarget,
  previewRebalance,
  scheduleDriftedWallets,
  withdraw,
} from '../../src/rebalancing/index.ts'
import { walletFrom } from '../../src/wallets/index.ts'
import { FACTOR_SETTINGS } from '../../testing/identity/factor-settings.ts'
import { expectExplicit } from '../checks/treasury.ts'
import type { Action } from '../clients/action.ts'
import type { Random } from '../random.ts'
import { type TreasuryRun, treasuryOf } from './treasury-of.ts'

/** Actions of the organization's people, and of the rebalancer for them. */
export const PEOPLE: readonly Action<TreasuryRun>[] = [
  {
    name: 'rebalance',
    weight: 20,
    async act(run, random) {
      if (random.chance(0.2)) run.clock.advance(random.pick([30_000, 120_000, 3_600_000]))
      await rebalance(run)
    },
  },
  {
    name: 'rebalance while agents act',
    weight: 4,
    async act(run, random) {
      const agent = random.pick(treasuryOf(run).agents)
      await run.requests<unknown>([
        ['rebalance', () => evaluateDueWallets(run.service.parts)],
        agent.work
          ? ['rebalance', () => evaluateDueWallets(run.service.parts)]
          : [`${agent.name} polls`, agent.poll(random)],
      ])
      await run.checkPlans?.()
    },
  },
  {
    name: 'schedule drifted wallets',
    weight: 3,
    async act(run) {
      const { db, chains, rebalancing, clock } = run.service.parts
      await run.request('schedule drifted wallets', () =>
        scheduleDriftedWallets(db, chains, { settings: rebalancing, now: clock.now() }),
      )
    },
  },
  {
    name: 'change a buffer',
    weight: 12,
    act: (run, random) => treasuryOf(run).changeBuffer(random),
  },
  {
    name: 'add an operational wallet',
    weight: 2,
    async act(run, random) {
      const treasury = treasuryOf(run)
      await treasury.addOperationalWallet(random.pick(treasury.accounts), random.pick(['USDC', 'USDT']), random)
    },
  },
  {
    name: 'approve or reject',
    weight: 12,
    async act(run, random) {
      const pending = random.pick(await pendingOf(run))
      if (pending !== undefined) await decide(run, pending, random.pick(treasuryOf(run).people), random.chance(0.75))
    },
  },
  {
    name: 'two people decide concurrently',
    weight: 2,
    async act(run, random) {
      const pending = random.pick(await pendingOf(run))
      if (pending === undefined) return
      const [one, other] = random.shuffled(treasuryOf(run).people)
      await run.requests([
        judgement(run, pending, one!, random.chance(0.8)),
        judgement(run, pending, other!, random.chance(0.8)),
      ])
    },
  },
  {
    name: 'change the approval policy',
    weight: 3,
    async act(run, random) {
      await treasuryOf(run).changeApprovals({
        mode: random.pick(['automatic', 'automatic', 'manual', 'conditional']),
        from: BigInt(random.between(100, 2_000)) * 1_000_000n,
        required: random.between(1, 2),
      })
    },
  },
  {
    name: 'request an allocation',
    weight: 5,
    act: allocateSome,
  },
  {
    name: 'request a withdrawal',
    weight: 5,
    act: withdrawSome,
  },
]

export async function rebalance(run: TreasuryRun): Promise<number> {
  const evaluated = (await run.request('rebalance', () => evaluateDueWallets(run.service.parts))) ?? 0
  await run.checkPlans?.()
  return evaluated
}

/** Operations that wait for approval. */
export async function pendingOf(run: TreasuryRun): Promise<number[]> {
  const { rows } = await run.database.reader.query<{ id: number }>(
    `select id from operations where state = 'PENDING_APPROVAL' order by id`,
  )
  return rows.map(({ id }) => Number(id))
}

export async function decide(run: TreasuryRun, operationId: number, userId: number, approves: boolean): Promise<void> {
  await run.requests([judgement(run, operationId, userId, approves)])
}

function judgement(run: TreasuryRun, operationId: number, userId: number, approves: boolean) {
  const scope = { organizationId: treasuryOf(run).organizationId, walletProfileId: null }
  const { parts } = run.service
  const input = { scope, operationId, userId }
  return [
    `${userId} ${approves ? 'approves' : 'rejects'} ${operationId}`,
    async (): Promise<void> => {
      await (approves
        ? approveOperation({ ...parts, environment: 'sandbox', factors: FACTOR_SETTINGS }, input)
        : rejectOperation(parts, input))
    },
  ] as const
}

async function allocateSome(run: TreasuryRun, random: Random): Promise<void> {
  const treasury = treasuryOf(run)
  const opWallet = random.pick(await treasury.wallets())
  if (!opWallet) return
  const wallet = await walletOf(run, opWallet.walletId)
  const amount = random.part(run.balanceOf(opWallet.tokenAddress, wallet.address), 1, 110)
  if (random.chance(0.3)) {
    await run.request('preview', () => previewRebalance(run.service.parts, { opWallet, buffer: amount }))
  }
  await run.request(`allocate ${amount} of operational wallet ${opWallet.opWalletId}`, async () => {
    const { operation } = await allocate(run.service.parts, {
      opWallet,
      wallet,
      amount,
      requestedBy: treasury.requester,
    })
    expectExplicit(run, operation, amount, opWallet)
  })
}

async function withdrawSome(run: TreasuryRun, random: Random): Promise<void> {
  const { organizationId, requester } = treasuryOf(run)
  const position = await pickPosition(run, random)
  if (!position) return
  const { allocationId, value } = position
  const amount = random.chance(0.4) ? ('full' as const) : random.part(value, 1, 105)
  await run.request(`withdraw ${amount} of allocation ${allocationId}`, async () => {
    const target = await findWithdrawTarget(run.service.parts, { organizationId, allocationId })
    const input = { target, amount: amount === 'full' ? null : amount, requestedBy: requester }
    await withdraw(run.service.parts, input)
  })
}

/** One of the treasury's positions, with its last recorded value. */
export async function pickPosition(
  run: TreasuryRun,
  random: Random,
): Promise<{ readonly allocationId: number; readonly value: bigint } | undefined> {
  const { rows } = await run.database.reader.query<{ id: string; value: string }>(
    `select id, posted_value::text as value from allocations where organization_id = $1 and status <> 'CLOSED' order by id`,
    [treasuryOf(run).organizationId],
  )
  const position = random.pick(rows)
  return position && { allocationId: Number(position.id), value: BigInt(position.value) }
}

/** The key of a strategy in which the treasury has a position. */
export async function pickHeldStrategy(run: TreasuryRun, random: Random): Promise<string | undefined> {
  const { rows } = await run.database.reader.query<{ key: string }>(
    `select distinct s.key from allocations p join strategies s on s.id = p.strategy_id
      where p.organization_id = $1 and p.status <> 'CLOSED' order by s.key`,
    [treasuryOf(run).organizationId],
  )
  return random.pick(rows)?.key
}

async function walletOf(run: TreasuryRun, walletId: number) {
  const row = await run.database.db
    .selectFrom('wallets')
    .selectAll()
    .where('id', '=', walletId)
    .executeTakeFirstOrThrow()
  return walletFrom(row)
}

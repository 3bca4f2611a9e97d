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
import { expectExplicit } from '../checks/treasury.ts'
import type { Action } from '../clients/action.ts'
import type { Random } from '../random.ts'
import { type TreasuryRun, treasuryOf } from './treasury-of.ts'

/** Actions of the organization's people, and of the rebalancer for them. */
export const PEOPLE: readonly Action<TreasuryRun>[] = [
  {
    name: 'rebalance',
    weight: 20,
    async act(play, random) {
      if (random.chance(0.2)) play.clock.advance(random.pick([30_000, 120_000, 3_600_000]))
      await rebalance(play)
    },
  },
  {
    name: 'rebalance while agents work',
    weight: 4,
    async act(play, random) {
      const agent = random.pick(treasuryOf(play).agents)
      await play.requests<unknown>([
        ['rebalance', () => evaluateDueWallets(play.service.parts)],
        agent.work
          ? ['rebalance', () => evaluateDueWallets(play.service.parts)]
          : [`${agent.name} polls`, agent.poll(random)],
      ])
    },
  },
  {
    name: 'screen',
    weight: 3,
    async act(play) {
      const { db, chains, rebalancing, clock } = play.service.parts
      await play.request('screen', () =>
        scheduleDriftedWallets(db, chains, { settings: rebalancing, now: clock.now() }),
      )
    },
  },
  {
    name: 'change a buffer',
    weight: 12,
    act: (play, random) => treasuryOf(play).changeBuffer(random),
  },
  {
    name: 'watch over another token',
    weight: 2,
    async act(play, random) {
      const treasury = treasuryOf(play)
      await treasury.addOperationalWallet(random.pick(treasury.accounts), random.pick(['USDC', 'USDT']), random)
    },
  },
  {
    name: 'decide',
    weight: 12,
    async act(play, random) {
      const pending = random.pick(await pendingOf(play))
      if (pending !== undefined) await decide(play, pending, random.pick(treasuryOf(play).people), random.chance(0.75))
    },
  },
  {
    name: 'two decide at once',
    weight: 2,
    async act(play, random) {
      const pending = random.pick(await pendingOf(play))
      if (pending === undefined) return
      const [one, other] = random.shuffled(treasuryOf(play).people)
      await play.requests([
        judgement(play, pending, one!, random.chance(0.8)),
        judgement(play, pending, other!, random.chance(0.8)),
      ])
    },
  },
  {
    name: 'change the approval policy',
    weight: 3,
    async act(play, random) {
      await treasuryOf(play).changeApprovals({
        mode: random.pick(['automatic', 'automatic', 'manual', 'conditional']),
        from: BigInt(random.between(100, 2_000)) * 1_000_000n,
        required: random.between(1, 2),
      })
    },
  },
  {
    name: 'allocate on purpose',
    weight: 5,
    act: allocateSome,
  },
  {
    name: 'withdraw on purpose',
    weight: 5,
    act: withdrawSome,
  },
]

export async function rebalance(play: TreasuryRun): Promise<number> {
  return (await play.request('rebalance', () => evaluateDueWallets(play.service.parts))) ?? 0
}

/** Operations that wait for approval. */
export async function pendingOf(play: TreasuryRun): Promise<number[]> {
  const { rows } = await play.books.reader.query<{ id: number }>(
    `select id from operations where state = 'PENDING_APPROVAL' order by id`,
  )
  return rows.map(({ id }) => Number(id))
}

export async function decide(play: TreasuryRun, operationId: number, userId: number, approves: boolean): Promise<void> {
  await play.requests([judgement(play, operationId, userId, approves)])
}

function judgement(play: TreasuryRun, operationId: number, userId: number, approves: boolean) {
  const scope = { organizationId: treasuryOf(play).organizationId, walletProfileId: null }
  const { parts } = play.service
  const input = { scope, operationId, userId }
  return [
    `${userId} ${approves ? 'approves' : 'rejects'} ${operationId}`,
    async (): Promise<void> => {
      await (approves ? approveOperation(parts, input) : rejectOperation(parts, input))
    },
  ] as const
}

async function allocateSome(play: TreasuryRun, random: Random): Promise<void> {
  const treasury = treasuryOf(play)
  const opWallet = random.pick(await treasury.wallets())
  if (!opWallet) return
  const wallet = await walletOf(play, opWallet.walletId)
  const amount = random.part(play.balanceOf(opWallet.tokenAddress, wallet.address), 1, 110)
  if (random.chance(0.3)) {
    await play.request('preview', () => previewRebalance(play.service.parts, { opWallet, buffer: amount }))
  }
  await play.request(`allocate ${amount} of operational wallet ${opWallet.opWalletId}`, async () => {
    const { operation } = await allocate(play.service.parts, {
      opWallet,
      wallet,
      amount,
      requestedBy: treasury.requester,
    })
    expectExplicit(play, operation, amount, opWallet)
  })
}

async function withdrawSome(play: TreasuryRun, random: Random): Promise<void> {
  const { organizationId, requester } = treasuryOf(play)
  const { rows } = await play.books.reader.query<{ id: string; value: string }>(
    `select id, posted_value::text as value from allocations where organization_id = $1 and status <> 'CLOSED' order by id`,
    [organizationId],
  )
  const position = random.pick(rows)
  if (!position) return
  const amount = random.chance(0.4) ? ('full' as const) : random.part(BigInt(position.value), 1, 105)
  await play.request(`withdraw ${amount} of allocation ${position.id}`, async () => {
    const target = await findWithdrawTarget(play.service.parts, { organizationId, allocationId: Number(position.id) })
    const input = { target, amount: amount === 'full' ? null : amount, requestedBy: requester }
    await withdraw(play.service.parts, input)
  })
}

async function walletOf(play: TreasuryRun, walletId: number) {
  const row = await play.books.db.selectFrom('wallets').selectAll().where('id', '=', walletId).executeTakeFirstOrThrow()
  return walletFrom(row)
}

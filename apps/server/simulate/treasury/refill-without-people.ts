import { scheduleDriftedWallets } from '../../src/rebalancing/index.ts'
import { type OperationalWallet, updateOperationalWallet } from '../../src/wallets/index.ts'
import { WORTH_A_MOVE } from '../checks/treasury-quiescence.ts'
import { requestExit } from '../clients/exit-actions.ts'
import { follow } from '../clients/requests.ts'
import type { WalletClient } from '../clients/wallet-client.ts'
import type { EvmRun } from '../evm-run.ts'
import { Violation } from '../violation.ts'
import { payableBy, worth } from '../world/contracts.ts'
import { isSlow, type SlowMarket } from '../world/exits.ts'
import { seconds } from '../world/world.ts'
import { rebalance } from './people-actions.ts'
import { runUntilQuiescent, workOff } from './quiesce.ts'
import type { Treasury } from './treasury.ts'

const TOKEN = 1_000_000n
/** What the buffer lacks while a claim waits, and the smallest amount that people have to approve. */
const MISSING = 100n * TOKEN
const REVIEWED = 200n * TOKEN
/** A refill takes a round or two; a pause after earlier failures ends in the fourth. */
const ROUNDS = 6

/**
 * Nobody decides about a claim, while the buffer lacks what other positions can pay at once and nobody has to approve: it
 * is full again before anybody decides (ADR 200). Does nothing where no wallet has such positions.
 */
export async function refillWithoutPeople(run: EvmRun, treasury: Treasury, look: () => Promise<void>): Promise<void> {
  const found = (await treasury.wallets()).flatMap((wallet) => {
    const holder = run.holders.find(({ address }) => address === wallet.address)!
    const market = run.world.markets
      .filter(isSlow)
      .find((one) => one.token === wallet.tokenAddress && isLarge(run, one, holder))
    return market && payableAtOnce(run, wallet) >= 2n * MISSING ? [{ wallet, holder, market }] : []
  })[0]
  if (!found) return
  const { wallet, holder, market } = found
  await treasury.changeApprovals({ mode: 'conditional', from: REVIEWED, required: 1 })
  run.record(`  ${requestExit(holder, market, holder.balance(market.share))} requests everything of ${market.key}`)
  run.mineToFinal()
  run.letExitsMature()
  await follow(run)
  await evaluate(run)
  if (await isClaimWaiting(run, wallet)) {
    const { organizationId, opWalletId, tokenAddress } = wallet
    const buffer = run.balanceOf(tokenAddress, wallet.address) + MISSING
    await run.request(`raise the buffer of operational wallet ${opWalletId} to ${buffer}`, () =>
      updateOperationalWallet(run.service.parts, { organizationId, opWalletId, buffer }),
    )
    const lacks = () => buffer - run.balanceOf(tokenAddress, wallet.address)
    for (let round = 0; round < ROUNDS && lacks() >= WORTH_A_MOVE; round += 1) {
      if (round === 3) run.clock.advance(3_600_000)
      await evaluate(run)
      await workOff(run, treasury, run.random.fork(`refill ${round}`))
      await look()
    }
    if (lacks() >= WORTH_A_MOVE)
      throw new Violation(`operational wallet ${opWalletId} lacks ${lacks()} while people decide about a claim`)
  }
  await treasury.changeApprovals({ mode: 'automatic', from: 0n, required: 1 })
  await runUntilQuiescent(run, treasury, look)
}

function isLarge({ world }: EvmRun, market: SlowMarket, holder: WalletClient): boolean {
  const { state, time } = world.latest
  return worth(market, state.balance(market.share, holder.address), market.price(seconds(time))) >= 2n * REVIEWED
}

/** What the wallet's positions in markets that pay at once are worth, as far as these can pay. */
function payableAtOnce({ world }: EvmRun, wallet: OperationalWallet & { readonly address: string }): bigint {
  const { state, time } = world.latest
  return world.markets
    .filter((market) => market.token === wallet.tokenAddress && !isSlow(market))
    .reduce((sum, market) => {
      const value = worth(market, state.balance(market.share, wallet.address), market.price(seconds(time)))
      const idle = payableBy(state, market)
      return sum + (value < idle ? value : idle)
    }, 0n)
}

async function evaluate(run: EvmRun): Promise<void> {
  const { parts } = run.service
  run.clock.advance(40_000)
  await run.request('schedule drifted wallets', () =>
    scheduleDriftedWallets(parts.db, parts.chains, { settings: parts.rebalancing, now: parts.clock.now() }),
  )
  await rebalance(run)
}

/**
 * A person may have rejected the last one less than a day ago. What people requested goes before a refill, even where it
 * is too little to be fetched.
 */
async function isClaimWaiting({ database }: EvmRun, { opWalletId }: OperationalWallet): Promise<boolean> {
  const { rowCount } = await database.reader.query(
    `select 1 from operations where op_wallet_id = $1 and state = 'PENDING_APPROVAL' and purpose = 'claim'
      and not exists (select 1 from awaited_withdrawals a where a.op_wallet_id = $1 and a.state = 'open')`,
    [opWalletId],
  )
  return rowCount === 1
}

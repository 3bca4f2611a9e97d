import {
  type Chain,
  openTokenAccount,
  readable,
  type SvmInstruction,
  TOKEN_PROGRAM,
  tokenAccountOf,
  u64,
  writable,
} from '../../chains/index.ts'
import { least } from '../../kernel/index.ts'
import { amountText } from '../describe.ts'
import type { Step, Strategy, SupplyPlan, UnwindPlan } from '../port.ts'
import { sharesBought, sharesFor } from './price.ts'
import { vaultsAt } from './read.ts'

const DEPOSIT = 1
const REDEEM = 2
/** To the program: every share of the account. */
const ALL_SHARES = 0xffff_ffff_ffff_ffffn
/** The price of a share grows between planning and landing; by more than a hundredth it would not be this plan any more. */
const LEAST_SHARES = { numerator: 99n, denominator: 100n }

/** One transaction: opens the account for the shares if it is not there, then deposits. */
export async function planSupply(chain: Chain, { strategy, owner, amount }: SupplyPlan): Promise<Step[]> {
  const { shareMint } = strategy.params as { shareMint: string }
  const [[vault], account] = await Promise.all([vaultsAt(chain, [strategy]), tokenAccountOf(owner, shareMint)])
  const leastShares = (sharesBought(amount, vault!) * LEAST_SHARES.numerator) / LEAST_SHARES.denominator
  const instructions = [
    openTokenAccount(owner, owner, shareMint, account),
    await instruction(strategy, owner, [DEPOSIT, ...u64(amount), ...u64(leastShares)]),
  ]
  const description = `Supply ${amountText(strategy, amount)} to ${strategy.name}`
  return [{ kind: 'supply', description, call: { family: 'svm', instructions } }]
}

/**
 * One transaction: opens the token account if it was closed, then redeems. Shares are rounded up, so that at least the
 * amount arrives; 'full' is the program's own word for all, which leaves none.
 */
export async function planUnwind(chain: Chain, { strategy, owner, amount, shares }: UnwindPlan): Promise<Step[]> {
  const [[vault], account] = await Promise.all([
    vaultsAt(chain, [strategy]),
    tokenAccountOf(owner, strategy.tokenAddress),
  ])
  const redeemed = amount === 'full' ? ALL_SHARES : least(sharesFor(amount, vault!), shares)
  const atLeast = amount === 'full' ? 0n : amount
  const instructions = [
    openTokenAccount(owner, owner, strategy.tokenAddress, account),
    await instruction(strategy, owner, [REDEEM, ...u64(redeemed), ...u64(atLeast)]),
  ]
  const what = amount === 'full' ? `everything` : amountText(strategy, amount)
  const description = `Withdraw ${what} from ${strategy.name}`
  return [{ kind: 'unwind', description, call: { family: 'svm', instructions } }]
}

async function instruction(strategy: Strategy, owner: string, data: readonly number[]): Promise<SvmInstruction> {
  const { program, vault, shareMint, liquidity } = strategy.params as Record<string, string>
  const [tokens, shares] = await Promise.all([
    tokenAccountOf(owner, strategy.tokenAddress),
    tokenAccountOf(owner, shareMint!),
  ])
  return {
    program: program!,
    accounts: [
      { address: owner, signer: true, writable: false },
      writable(vault!),
      readable(strategy.tokenAddress),
      writable(shareMint!),
      writable(liquidity!),
      writable(tokens),
      writable(shares),
      readable(TOKEN_PROGRAM),
    ],
    data: Buffer.from(data).toString('base64'),
  }
}

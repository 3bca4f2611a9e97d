import {
  ASSOCIATED_TOKEN_PROGRAM,
  readonlyAccount,
  type SvmInstruction,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  u64,
  writableAccount,
} from '../../chains/index.ts'
import { discriminator, LENDING_PROGRAM, type MarketAddresses } from './program.ts'

/** One owner's accounts in a market. */
export interface LendingAccounts {
  readonly market: MarketAddresses
  /** Signs, and owns both of the following accounts. */
  readonly owner: string
  readonly tokenAccount: string
  readonly shareAccount: string
}

const DEPOSIT = discriminator('global', 'deposit')
const WITHDRAW = discriminator('global', 'withdraw')
const REDEEM = discriminator('global', 'redeem')

/** Deposits exactly this amount. Throws RangeError beyond 64 bits. */
export function deposit(
  { market, owner, tokenAccount, shareAccount }: LendingAccounts,
  amount: bigint,
): SvmInstruction {
  return {
    program: LENDING_PROGRAM,
    accounts: [
      { address: owner, signer: true, writable: true },
      writableAccount(tokenAccount),
      writableAccount(shareAccount),
      readonlyAccount(market.token),
      readonlyAccount(market.lendingAdmin),
      writableAccount(market.lending),
      writableAccount(market.shareMint),
      writableAccount(market.reserve),
      writableAccount(market.position),
      readonlyAccount(market.rateModel),
      writableAccount(market.vault),
      ...common(market),
    ],
    data: Buffer.from([...DEPOSIT, ...u64(amount)]).toString('base64'),
  }
}

/** Pays exactly this amount, for shares rounded up. */
export const withdraw = (accounts: LendingAccounts, amount: bigint): SvmInstruction =>
  withdrawal(accounts, WITHDRAW, amount)

/** Burns exactly these shares, and pays what they are worth. */
export const redeem = (accounts: LendingAccounts, shares: bigint): SvmInstruction =>
  withdrawal(accounts, REDEEM, shares)

function withdrawal(
  { market, owner, tokenAccount, shareAccount }: LendingAccounts,
  name: Buffer,
  amount: bigint,
): SvmInstruction {
  return {
    program: LENDING_PROGRAM,
    // The order differs from a deposit: the shares come first, and the market before the token.
    accounts: [
      { address: owner, signer: true, writable: true },
      writableAccount(shareAccount),
      writableAccount(tokenAccount),
      readonlyAccount(market.lendingAdmin),
      writableAccount(market.lending),
      readonlyAccount(market.token),
      writableAccount(market.shareMint),
      writableAccount(market.reserve),
      writableAccount(market.position),
      readonlyAccount(market.rateModel),
      writableAccount(market.vault),
      writableAccount(market.claim),
      ...common(market),
    ],
    data: Buffer.from([...name, ...u64(amount)]).toString('base64'),
  }
}

function common(market: MarketAddresses): SvmInstruction['accounts'] {
  return [
    writableAccount(market.liquidity),
    writableAccount(market.liquidityProgram),
    readonlyAccount(market.rewardsRateModel),
    readonlyAccount(TOKEN_PROGRAM),
    readonlyAccount(ASSOCIATED_TOKEN_PROGRAM),
    readonlyAccount(SYSTEM_PROGRAM),
  ]
}

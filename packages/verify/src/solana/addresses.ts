import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/addresses'

export const SYSTEM_PROGRAM = '11111111111111111111111111111111'
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
export const INSTRUCTIONS_SYSVAR = 'Sysvar1nstructions1111111111111111111111111'

/** The associated token account of an owner: only the owner can spend from it. */
export function tokenAccountOf(owner: string, mint: string): Promise<string> {
  return derived(ASSOCIATED_TOKEN_PROGRAM, [bytesOf(owner), bytesOf(TOKEN_PROGRAM), bytesOf(mint)])
}

/** The program-derived authority that signs for a Kamino lending market. */
export function kaminoAuthorityOf(program: string, lendingMarket: string): Promise<string> {
  return derived(program, [Buffer.from('lma'), bytesOf(lendingMarket)])
}

interface JupiterPrograms {
  readonly program: string
  readonly lending: string
  readonly liquidityProgram: string
  readonly rewardsProgram: string
}

/** The accounts of a market of Jupiter Lend, which follow from its token. */
export async function jupiterAccountsOf(
  { program, lending, liquidityProgram, rewardsProgram }: JupiterPrograms,
  token: string,
) {
  const mint = bytesOf(token)
  const pool = (name: string, ...seeds: readonly Uint8Array[]) =>
    derived(liquidityProgram, [Buffer.from(name), ...seeds])
  const lendingAdmin = await derived(program, [Buffer.from('lending_admin')])
  const liquidity = await pool('liquidity')
  const [reserve, position, rateModel, claim, vault, rewards] = await Promise.all([
    pool('reserve', mint),
    pool('user_supply_position', mint, bytesOf(lending)),
    pool('rate_model', mint),
    pool('user_claim', bytesOf(lendingAdmin), mint),
    tokenAccountOf(liquidity, token),
    derived(rewardsProgram, [Buffer.from('lending_rewards_rate_model'), mint]),
  ])
  return { lendingAdmin, liquidity, reserve, position, rateModel, claim, vault, rewards }
}

async function derived(program: string, seeds: readonly Uint8Array[]): Promise<string> {
  const [address] = await getProgramDerivedAddress({ programAddress: program as Address, seeds: [...seeds] })
  return address
}

function bytesOf(address: string): Uint8Array {
  return Uint8Array.from(getAddressEncoder().encode(address as Address))
}

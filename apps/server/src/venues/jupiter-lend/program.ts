import { createHash } from 'node:crypto'
import { associatedTokenAddress, programDerivedAddress } from '../../chains/index.ts'

/** Jupiter Lend's main market on mainnet: the lending program, and the programs that it rests on. */
export const LENDING_PROGRAM = 'jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9'
const LIQUIDITY_PROGRAM = 'jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC'
const REWARDS_PROGRAM = 'jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar'

/** The program is built with Anchor, which identifies instructions and accounts by the hash of their names. */
export function discriminator(kind: 'global' | 'account', name: string): Buffer {
  return createHash('sha256').update(`${kind}:${name}`).digest().subarray(0, 8)
}

/** Every account of a market that a deposit or withdrawal names; all follow from the token. */
export interface MarketAddresses {
  readonly token: string
  readonly lendingAdmin: string
  readonly lending: string
  /** The mint of the shares. */
  readonly shareMint: string
  /** Of the token in the liquidity program, shared by all who lend and borrow it. */
  readonly reserve: string
  /** What the lending program has there. */
  readonly position: string
  readonly rateModel: string
  /** Holds the tokens that are not lent out. */
  readonly vault: string
  readonly claim: string
  readonly liquidity: string
  readonly liquidityProgram: string
  readonly rewardsRateModel: string
}

export async function marketAddresses(token: string): Promise<MarketAddresses> {
  const lending = (...seeds: Seeds) => derived(LENDING_PROGRAM, seeds)
  const liquidity = (...seeds: Seeds) => derived(LIQUIDITY_PROGRAM, seeds)
  const [lendingAdmin, shareMint, treasury] = await Promise.all([
    lending('lending_admin'),
    lending('f_token_mint', { address: token }),
    liquidity('liquidity'),
  ])
  const market = await lending('lending', { address: token }, { address: shareMint })
  const [reserve, position, rateModel, vault, claim, rewardsRateModel] = await Promise.all([
    liquidity('reserve', { address: token }),
    liquidity('user_supply_position', { address: token }, { address: market }),
    liquidity('rate_model', { address: token }),
    associatedTokenAddress(treasury, token),
    liquidity('user_claim', { address: lendingAdmin }, { address: token }),
    derived(REWARDS_PROGRAM, ['lending_rewards_rate_model', { address: token }]),
  ])
  return {
    token,
    lendingAdmin,
    lending: market,
    shareMint,
    reserve,
    position,
    rateModel,
    vault,
    claim,
    liquidity: treasury,
    liquidityProgram: LIQUIDITY_PROGRAM,
    rewardsRateModel,
  }
}

type Seeds = readonly (string | { readonly address: string })[]

function derived(program: string, seeds: Seeds): Promise<string> {
  return programDerivedAddress(
    program,
    seeds.map((seed) => (typeof seed === 'string' ? Buffer.from(seed) : seed)),
  )
}

import { type SvmChain, TOKEN_PROGRAM } from '../../chains/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { KAMINO_PROGRAM, readReserve } from '../kamino/index.ts'
import { type ContractsReading, refused } from './contracts-reading.ts'
import type { ListedVenue } from './listed-venue.ts'

/** In a mint's account: u8. */
const DECIMALS_AT = 44

/** What the account of an entry, a reserve of Kamino Lend, says about itself. Throws CHAIN_UNAVAILABLE. */
export async function readListedSvmContracts(
  chain: SvmChain,
  { address, blockchain }: ListedVenue,
): Promise<ContractsReading> {
  const [data] = await chain.accounts([address])
  if (data === undefined)
    return refused('NO_CONTRACT', `there is no account at ${address} on ${blockchain}; correct address or blockchain`)
  const reserve = reserveIn(address, data)
  if (reserve === undefined)
    return refused('WRONG_KIND', `${address} is no reserve of Kamino Lend; correct address or kind`)
  const { liquidityMint, liquidityProgram, collateralMint, lendingMarket, supplyVault } = reserve
  if (liquidityProgram !== TOKEN_PROGRAM)
    return refused('WRONG_KIND', `${address} lends a Token-2022 token, which Weir does not serve; remove the entry`)
  const [mint] = await chain.accounts([liquidityMint])
  return {
    contracts: { program: KAMINO_PROGRAM, reserve: address, shareMint: collateralMint },
    tokenAddress: liquidityMint,
    decimals: mint?.[DECIMALS_AT],
    forAgent: { lendingMarket, supplyVault, collateralMint },
  }
}

function reserveIn(address: string, data: Buffer) {
  try {
    return readReserve(address, data)
  } catch (error) {
    if (error instanceof ContractUnavailableError) return undefined
    throw error
  }
}

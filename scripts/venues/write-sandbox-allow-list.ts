// Writes packages/verify/src/lists/sandbox.json from the embedded chains' deployments: their addresses are the same on
// every new chain. A test compares the two.
import { writeFileSync } from 'node:fs'
import { CHAIN_DESIGNS, EVM_BLOCKCHAINS } from '../../packages/devnet/src/evm/chains.ts'
import { planDeployment } from '../../packages/devnet/src/evm/plan-deployment.ts'
import { planSolana } from '../../packages/devnet/src/solana/design.ts'
import { EVM_FEES, SOLANA_FEES } from '../../packages/verify/src/lists/fees.ts'

const file = new URL('../../packages/verify/src/lists/sandbox.json', import.meta.url)

/** The expected content of sandbox.json. */
export async function sandboxList(): Promise<string> {
  const chains = [...EVM_BLOCKCHAINS.map(evmChain), await solanaChain()]
  return `${JSON.stringify({ version: 1, chains }, null, 2)}\n`
}

function evmChain(blockchain: (typeof EVM_BLOCKCHAINS)[number]) {
  const design = CHAIN_DESIGNS[blockchain]
  const { tokens, strategies } = planDeployment(design)
  return {
    family: 'evm',
    blockchain,
    chainId: design.chainId,
    fees: EVM_FEES[blockchain],
    tokens: tokens.map(({ symbol, address, decimals }) => ({ symbol, address, decimals })),
    venues: strategies.map(({ name, protocol, token, params }) => ({
      name,
      protocol,
      token,
      contract: 'pool' in params ? params.pool : 'comet' in params ? params.comet : params.vault,
    })),
  }
}

async function solanaChain() {
  const { tokens, strategies } = (await planSolana()).deployment
  return {
    family: 'svm',
    blockchain: 'solana',
    genesisHash: null,
    fees: SOLANA_FEES,
    tokens: tokens.map(({ symbol, address, decimals }) => ({ symbol, address, decimals })),
    venues: strategies.map(({ name, protocol, token, params }) => {
      const { program, vault, shareMint, liquidity, shareDecimals } = params
      const more = shareDecimals - tokens.find(({ symbol }) => symbol === token)!.decimals
      return { name, protocol, token, program, vault, shareMint, liquidity, sharesPerUnit: String(10n ** BigInt(more)) }
    }),
  }
}

if (import.meta.main) writeFileSync(file, await sandboxList())

import type { Network } from './client.ts'

/** Base units of USDC that an address has by the token itself: read from the chain, not from Weir. */
export async function tokensOnChain({ rpcUrl, blockchain, tokens }: Network, owner: string): Promise<bigint> {
  const { address: token } = tokens.find(({ symbol }) => symbol === 'USDC')!
  if (blockchain !== 'solana') {
    // balanceOf(address)
    const data = `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}`
    return BigInt(await ask<string>(rpcUrl, 'eth_call', [{ to: token, data }, 'latest']))
  }
  const found = await ask<TokenAccounts>(rpcUrl, 'getTokenAccountsByOwner', [
    owner,
    { mint: token },
    { encoding: 'jsonParsed', commitment: 'confirmed' },
  ])
  return found.value.reduce((total, { account }) => total + BigInt(account.data.parsed.info.tokenAmount.amount), 0n)
}

interface TokenAccounts {
  readonly value: readonly {
    readonly account: { readonly data: { readonly parsed: { readonly info: { tokenAmount: { amount: string } } } } }
  }[]
}

async function ask<Result>(url: string, method: string, params: readonly unknown[]): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: Result; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** Explorers of the public chains; live Weir follows these mainnets only. Embedded chains have none. */
const EXPLORERS: Readonly<Record<string, string>> = {
  ethereum: 'https://etherscan.io',
  polygon: 'https://polygonscan.com',
  base: 'https://basescan.org',
  solana: 'https://explorer.solana.com',
}

const ADDRESS = /^(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/
const TRANSACTION = /^(?:0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{86,88})$/

/** Where a chain's explorer shows an address or a transaction; `undefined` for anything else. */
export function explorerUrl(blockchain: string, value: string): string | undefined {
  const explorer = EXPLORERS[blockchain.toLowerCase()]
  if (explorer === undefined) return undefined
  if (ADDRESS.test(value)) return `${explorer}/address/${value}`
  return TRANSACTION.test(value) ? `${explorer}/tx/${value}` : undefined
}

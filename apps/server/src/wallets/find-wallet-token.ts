import type { Token } from '../chains/index.ts'
import { Failure } from '../kernel/index.ts'
import { operationalWalletNotFound } from './operational-wallet.ts'
import type { WalletParts } from './parts.ts'
import { requireConfiguredToken } from './require-configured-token.ts'

/** A token that a wallet of the organization can hold. */
export interface WalletToken {
  readonly organizationId: number
  readonly walletId: number
  readonly token: Token
}

/**
 * The token that a request names by its symbol, in any case, on the chain of a wallet. Errors: WALLET_NOT_FOUND;
 * CHAIN_UNAVAILABLE (no longer served here); INVALID_TOKEN_SYMBOL.
 */
export async function findWalletToken(
  parts: Pick<WalletParts, 'db' | 'chains'>,
  named: { readonly organizationId: number; readonly walletId: number; readonly symbol: string },
): Promise<WalletToken> {
  const { organizationId, walletId, symbol } = named
  const wallet = await parts.db
    .selectFrom('wallets')
    .select('blockchain')
    .where('organization_id', '=', organizationId)
    .where('id', '=', walletId)
    .executeTakeFirst()
  if (!wallet) throw new Failure('WALLET_NOT_FOUND')
  return { organizationId, walletId, token: tokenBySymbol(parts, wallet.blockchain, symbol) }
}

/** The token of an operational wallet. Errors: WALLET_NOT_FOUND; CHAIN_UNAVAILABLE (no longer served here). */
export async function findOperationalWalletToken(
  parts: Pick<WalletParts, 'db' | 'chains'>,
  { organizationId, opWalletId }: { readonly organizationId: number; readonly opWalletId: number },
): Promise<Token> {
  const row = await parts.db
    .selectFrom('operational_wallets')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'operational_wallets.organization_id')
        .onRef('wallets.id', '=', 'operational_wallets.wallet_id'),
    )
    .select(['operational_wallets.token_address', 'wallets.blockchain'])
    .where('operational_wallets.organization_id', '=', organizationId)
    .where('operational_wallets.id', '=', opWalletId)
    .executeTakeFirst()
  if (!row) throw operationalWalletNotFound()
  return requireConfiguredToken(parts.chains, row.blockchain, row.token_address)
}

function tokenBySymbol(parts: Pick<WalletParts, 'chains'>, blockchain: string, symbol: string): Token {
  const chain = parts.chains.get(blockchain)
  if (!chain) {
    throw new Failure('CHAIN_UNAVAILABLE', { message: `${blockchain} is not served here at the moment.` })
  }
  const { tokens } = chain.network
  const token = tokens.find((candidate) => candidate.symbol.toLowerCase() === symbol.toLowerCase())
  if (token) return token
  throw new Failure('INVALID_TOKEN_SYMBOL', {
    message: `The token is not available on ${blockchain}.`,
    details: { availableTokens: tokens.map((supported) => supported.symbol), requested: symbol },
  })
}

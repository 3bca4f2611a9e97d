import { isBlockchain, normalizeAddress } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import type { AccountRequest, BankDetails, PayoutAccount } from '../provider/port.ts'
import { throwAccountError } from './account-errors.ts'
import { createOnce, isReferenceInUse } from './create-once.ts'
import { currencyOf, payoutRailOf } from './currencies-and-rails.ts'
import { ensureExternalAccount } from './external-account.ts'
import { type Json, textOf } from './json-fields.ts'
import { fetchBridgeCustomerId } from './kyc-link.ts'
import { type BridgeAccountParts, developerFeePercent } from './virtual-account.ts'

/**
 * An address whose tokens are paid out to a bank account; what cannot be paid out returns to the wallet. Errors:
 * ASSET_NOT_SUPPORTED, KYB_NOT_APPROVED, CONFLICT (the customer has one for this bank account, chain and token),
 * VALIDATION_ERROR, RAMP_UNAVAILABLE.
 */
export async function openLiquidationAddress(
  parts: BridgeAccountParts,
  wish: AccountRequest & { readonly bank: BankDetails },
): Promise<PayoutAccount> {
  const [currency, rail] = [currencyOf(wish), payoutRailOf(wish.rail)]
  const customer = await fetchBridgeCustomerId(parts, wish.kybReference)
  const path = `/customers/${customer}/liquidation_addresses`
  try {
    const bank = await ensureExternalAccount(parts, customer, wish)
    const asked = {
      chain: wish.blockchain,
      currency,
      external_account_id: bank,
      destination_payment_rail: rail,
      destination_currency: 'usd',
    }
    const developerFee = await developerFeePercent(parts, wish.organizationId)
    const made = await createOnce(
      parts,
      {
        organizationId: wish.organizationId,
        kind: 'liquidation_address',
        parameters: [customer, ...Object.values(asked), wish.walletAddress, developerFee],
        isShared: false,
      },
      {
        async find(reference) {
          for await (const page of parts.client.pages(path)) {
            for (const one of page) {
              const isIt = reference === null ? matchesRequest(one, asked) : one.id === reference
              if (isIt && !(await isReferenceInUse(parts.db, textOf(one, 'id') ?? ''))) return one
            }
          }
          return undefined
        },
        create: (key) =>
          parts.client.post(
            path,
            { ...asked, return_address: wish.walletAddress, custom_developer_fee_percent: developerFee },
            key,
          ),
      },
    )
    return payoutAccountFrom(made, wish)
  } catch (error) {
    return throwAccountError(parts.log, error)
  }
}

/** The partner may leave out what it was not asked for: what it says must agree, and chain, token and bank it says. */
function matchesRequest(address: Json, asked: Readonly<Record<string, string>>): boolean {
  const isSaid = ['chain', 'currency', 'external_account_id'].every((name) => address[name] === asked[name])
  const rail = textOf(address, 'destination_payment_rail')
  return isSaid && address.state !== 'inactive' && (rail === undefined || rail === asked.destination_payment_rail)
}

function payoutAccountFrom(made: Json, { blockchain }: AccountRequest): PayoutAccount {
  const address = textOf(made, 'address') ?? ''
  const depositAddress = isBlockchain(blockchain) ? normalizeAddress(blockchain, address) : undefined
  assert(depositAddress, 'a deposit address is one of its chain')
  return { reference: textOf(made, 'id') ?? '', depositAddress }
}

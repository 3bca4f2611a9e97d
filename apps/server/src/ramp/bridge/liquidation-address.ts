import { isBlockchain, normalizeAddress } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import type { AccountRequest, BankDetails, PayoutAccount } from '../provider/port.ts'
import { throwAccountError } from './account-errors.ts'
import { createOnce, isReferenceInUse } from './create-once.ts'
import { currencyOf, payoutRailOf } from './currencies-and-rails.ts'
import { ensureExternalAccount } from './external-account.ts'
import { type BridgeJson, textOf } from './json-fields.ts'
import { fetchBridgeCustomerId } from './kyc-link.ts'
import { type BridgeAccountParts, developerFeePercent } from './virtual-account.ts'

/**
 * Opens an address whose tokens are paid out to a bank account; tokens that cannot be paid out return to the wallet. Errors:
 * ASSET_NOT_SUPPORTED, KYB_NOT_APPROVED, CONFLICT (one exists for this bank account, chain and token),
 * VALIDATION_ERROR, RAMP_UNAVAILABLE.
 */
export async function openLiquidationAddress(
  parts: BridgeAccountParts,
  request: AccountRequest & { readonly bank: BankDetails },
): Promise<PayoutAccount> {
  const [currency, rail] = [currencyOf(request), payoutRailOf(request.rail)]
  const customer = await fetchBridgeCustomerId(parts, request.kybReference)
  const path = `/customers/${customer}/liquidation_addresses`
  try {
    const bank = await ensureExternalAccount(parts, customer, request)
    const wanted = {
      chain: request.blockchain,
      currency,
      external_account_id: bank,
      destination_payment_rail: rail,
      destination_currency: 'usd',
    }
    const developerFee = await developerFeePercent(parts, request.organizationId)
    const created = await createOnce(
      parts,
      {
        organizationId: request.organizationId,
        kind: 'liquidation_address',
        parameters: [customer, ...Object.values(wanted), request.walletAddress, developerFee],
        isShared: false,
      },
      {
        async find(reference) {
          for await (const page of parts.client.pages(path)) {
            for (const address of page) {
              const matches = reference === null ? matchesRequest(address, wanted) : address.id === reference
              if (matches && !(await isReferenceInUse(parts.db, textOf(address, 'id') ?? ''))) return address
            }
          }
          return undefined
        },
        create: (key) =>
          parts.client.post(
            path,
            { ...wanted, return_address: request.walletAddress, custom_developer_fee_percent: developerFee },
            key,
          ),
      },
    )
    return payoutAccountFrom(created, request)
  } catch (error) {
    return throwAccountError(parts.log, error)
  }
}

/** Chain, currency and bank account must be present and match. The partner may omit the rail; if present, it must match. */
function matchesRequest(address: BridgeJson, wanted: Readonly<Record<string, string>>): boolean {
  const isSame = ['chain', 'currency', 'external_account_id'].every((name) => address[name] === wanted[name])
  const rail = textOf(address, 'destination_payment_rail')
  return isSame && address.state !== 'inactive' && (rail === undefined || rail === wanted.destination_payment_rail)
}

function payoutAccountFrom(created: BridgeJson, { blockchain }: AccountRequest): PayoutAccount {
  const address = textOf(created, 'address') ?? ''
  const depositAddress = isBlockchain(blockchain) ? normalizeAddress(blockchain, address) : undefined
  assert(depositAddress, 'a deposit address is valid on its chain')
  return { reference: textOf(created, 'id') ?? '', depositAddress }
}

export { findAccount, listAccounts, oldestAccount, type RampAccount } from './accounts/account.ts'
export { rampAccountUse } from './accounts/account-use.ts'
export {
  type OpenAccountInput,
  openOfframpAccount,
  openOnrampAccount,
  type WalletSelector,
} from './accounts/open-account.ts'
export { ignoredEventRetention } from './bridge/ignored-events.ts'
export { createBridgeProvider } from './bridge/provider.ts'
export { createRecipient, type NewRecipient } from './customers/create-recipient.ts'
export { type Customer, findOrganizationCustomer, findRecipient } from './customers/customer.ts'
export { pendingVerificationUse, recipientUse } from './customers/customer-use.ts'
export { getRecipient, listRecipients, type RecipientSummary } from './customers/list-recipients.ts'
export { searchRecipients } from './customers/search-recipients.ts'
export { archiveRecipient, type RecipientUpdate, updateRecipient } from './customers/update-recipient.ts'
export { discardDeposits } from './deposits/discard-deposits.ts'
export { handleWaitingDeposits } from './deposits/handle-waiting-deposits.ts'
export { recordInboundDeposits } from './deposits/record-inbound-deposits.ts'
export { retryDeferredDeposits } from './deposits/retry-deferred-deposits.ts'
export { createDisabledProvider } from './disabled/provider.ts'
export { applyProviderMessage } from './events/apply-provider-event.ts'
export { runProviderWork } from './events/run-provider-work.ts'
export { checkKyb, simulateKyb } from './onboarding/check-kyb.ts'
export { startKyb } from './onboarding/start-kyb.ts'
export type { RampParts } from './parts.ts'
export { type ErasedRecipient, eraseRecipient, RAMP_ERASURE } from './personal/erase-customers.ts'
export { eraseExpiredRecipients } from './personal/erase-expired.ts'
export { eraseStaleKybAnswers } from './personal/erase-stale-kyb-answers.ts'
export { countClearFields, sealClearFields } from './personal/seal-clear-fields.ts'
export { feeTermsOf } from './pricing/fees.ts'
export { quoteRamp } from './pricing/quote-ramp.ts'
export { type BankDetails, type PostalAddress, type RampProvider, SCENARIOS } from './provider/port.ts'
export { type HostedForm, hostedForm } from './sandbox/hosted-form.ts'
export { sandboxProviderParts } from './sandbox/parts.ts'
export { createSandboxProvider } from './sandbox/provider.ts'
export type { TokenPayment, TokenSender, TokenTransferStatus } from './sandbox/token-sender.ts'
export { RAMP_SEALED_COLUMNS } from './sealed-columns.ts'
export { createFieldSealer } from './sealing/sealed-fields.ts'
export { type RampSimulation, simulateTransaction } from './simulation/simulate-transaction.ts'
export { type RampBacklog, rampBacklog } from './transactions/backlog.ts'
export {
  getTransaction,
  iterateTransactions,
  listTransactions,
  type RampTransactionFilter,
} from './transactions/list-transactions.ts'
export { RAMP_STATUSES } from './transactions/ramp-transaction-states.ts'
export { requireNoOpenRampTransactions } from './transactions/require-no-open-transactions.ts'
export { type RampSummary, SUMMARY_DECIMALS, summarizeTransactions } from './transactions/summarize-transactions.ts'
export { formatDollars, type RampRecord, type RampTransaction, rampRecordOf } from './transactions/transaction.ts'

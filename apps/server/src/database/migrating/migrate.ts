import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { type Log, withCleanup } from '../../kernel/index.ts'
import { LIFT_TIMEOUTS } from '../connections/durable-client.ts'
import type { Database } from '../handles.ts'
import { up as identity } from '../migrations/0001-identity.ts'
import { up as chainsAndVenues } from '../migrations/0002-chains-and-venues.ts'
import { up as walletsAndLedger } from '../migrations/0003-wallets-and-ledger.ts'
import { up as allocations } from '../migrations/0004-allocations.ts'
import { up as operations } from '../migrations/0005-operations.ts'
import { up as outboxAndIdempotency } from '../migrations/0006-outbox-and-idempotency.ts'
import { up as loginAttempts } from '../migrations/0007-login-attempts.ts'
import { up as strategyPrices } from '../migrations/0008-strategy-prices.ts'
import { up as solana } from '../migrations/0009-solana.ts'
import { up as idempotencySight } from '../migrations/0010-idempotency-sight.ts'
import { up as tallies } from '../migrations/0011-tallies.ts'
import { up as deletedAndSetAside } from '../migrations/0012-deleted-and-set-aside.ts'
import { up as liveSolana } from '../migrations/0013-live-solana.ts'
import { up as operationalWallets } from '../migrations/0014-operational-wallets.ts'
import { up as policyAndAudit } from '../migrations/0015-policy-and-audit.ts'
import { up as agentOperations } from '../migrations/0016-agent-operations.ts'
import { up as agentQueue } from '../migrations/0017-agent-queue.ts'
import { up as webhooks } from '../migrations/0018-webhooks.ts'
import { up as ramp } from '../migrations/0019-ramp.ts'
import { up as rampBridge } from '../migrations/0020-ramp-bridge.ts'
import { up as rebalancing } from '../migrations/0021-rebalancing.ts'
import { up as rampUnderWay } from '../migrations/0022-ramp-under-way.ts'
import { up as operationsOfProfile } from '../migrations/0023-operations-of-profile.ts'
import { up as finalNonces } from '../migrations/0024-final-nonces.ts'
import { up as fieldTerms } from '../migrations/0025-field-terms.ts'
import { up as agentWorkWithoutTriggers } from '../migrations/0026-agent-work-without-triggers.ts'
import { up as moveAmounts } from '../migrations/0027-move-amounts.ts'
import { up as registrationInvitations } from '../migrations/0028-registration-invitations.ts'
import { up as sessionLimits } from '../migrations/0029-session-limits.ts'
import { up as keyPermissions } from '../migrations/0030-key-permissions.ts'
import { up as operationRequesters } from '../migrations/0031-operation-requesters.ts'
import { up as changeRequests } from '../migrations/0032-change-requests.ts'
import { up as mail } from '../migrations/0033-mail.ts'
import { up as secondFactors } from '../migrations/0034-second-factors.ts'
import { up as singleSignOn } from '../migrations/0035-single-sign-on.ts'
import { up as securityEvents } from '../migrations/0036-security-events.ts'
import { up as unchainedAuditEntries } from '../migrations/0036-unchained-audit-entries.ts'
import { up as verifiedAnchors } from '../migrations/0036-verified-anchors.ts'
import { up as whoCreated } from '../migrations/0036-who-created.ts'
import { up as keyRingsAndSealedFields } from '../migrations/0037-key-rings-and-sealed-fields.ts'
import { up as organizationQuotas } from '../migrations/0038-organization-quotas.ts'
import { up as signedApprovals } from '../migrations/0039-signed-approvals.ts'
import { up as organizationErasures } from '../migrations/0040-organization-erasures.ts'
import { up as recoveryCodePeppers } from '../migrations/0040-recovery-code-peppers.ts'
import { up as venueLimits } from '../migrations/0041-venue-limits.ts'
import { up as refusedMoves } from '../migrations/0042-refused-moves.ts'
import { up as whoSimulated } from '../migrations/0043-who-simulated.ts'
import { up as stuckAgentTransactions } from '../migrations/0044-stuck-agent-transactions.ts'
import { up as browserSessions } from '../migrations/0045-browser-sessions.ts'
import { up as strategyHistory } from '../migrations/0046-strategy-history.ts'
import { up as depositLimits } from '../migrations/0047-deposit-limits.ts'
import { up as databaseHistory } from '../migrations/0048-database-history.ts'
import { up as jobLeases } from '../migrations/0050-job-leases.ts'
import { up as deferredDeposits } from '../migrations/0052-deferred-deposits.ts'
import { up as circuitBreakers } from '../migrations/0054-circuit-breakers.ts'
import { up as acceptedBreaks } from '../migrations/0056-accepted-breaks.ts'
import { up as exits } from '../migrations/0057-exits.ts'
import { up as heartbeatsAndBuffers } from '../migrations/0058-heartbeats-and-buffers.ts'
import { steps as retention } from '../migrations/0059-retention.ts'
import { steps as positionsOfStrategy } from '../migrations/0060-positions-of-strategy.ts'
import { steps as quotaPlaces } from '../migrations/0063-quota-places.ts'
import { steps as listingSources } from '../migrations/0064-listing-sources.ts'
import { steps as leftAllowances } from '../migrations/0066-left-allowances.ts'
import { steps as decisionReasons } from '../migrations/0068-decision-reasons.ts'
import { steps as deliveriesAbout } from '../migrations/0069-deliveries-about.ts'
import { steps as keyErrors } from '../migrations/0075-key-errors.ts'
import { steps as blocksOfNonceCounts } from '../migrations/0077-blocks-of-nonce-counts.ts'
import { steps as ledgerEntriesByTime } from '../migrations/0078-ledger-entries-by-time.ts'
import { steps as unfinishedOfWallet } from '../migrations/0079-unfinished-of-wallet.ts'
import { steps as snapshotsByMonth } from '../migrations/0080-snapshots-by-month.ts'
import { steps as dueWalletsOfOrganization } from '../migrations/0081-due-wallets-of-organization.ts'
import { steps as timelocks } from '../migrations/0082-timelocks.ts'
import { steps as serviceAccounts } from '../migrations/0083-service-accounts.ts'
import { steps as movePurposes } from '../migrations/0084-move-purposes.ts'
import { steps as refusedAmounts } from '../migrations/0085-refused-amounts.ts'
import { steps as awaitedWithdrawals } from '../migrations/0086-awaited-withdrawals.ts'
import { steps as finding } from '../migrations/0089-finding.ts'
import { steps as savedViews } from '../migrations/0090-saved-views.ts'
import { steps as plannedMoves } from '../migrations/0091-planned-moves.ts'
import { steps as decisionFiles } from '../migrations/0092-decision-files.ts'
import { steps as heldEvents } from '../migrations/0093-held-events.ts'
import { steps as endedDays } from '../migrations/0094-ended-days.ts'
import { steps as walletsToReconcileOfOrganization } from '../migrations/0095-wallets-to-reconcile-of-organization.ts'
import { steps as stuckTransactions } from '../migrations/0096-stuck-transactions.ts'
import { steps as valueOfAReading } from '../migrations/0097-value-of-a-reading.ts'
import { steps as keyRequests } from '../migrations/0098-key-requests.ts'
import { steps as oldWebhookSecrets } from '../migrations/0099-old-webhook-secrets.ts'
import { steps as firstSeen } from '../migrations/0100-first-seen.ts'
import { steps as rewards } from '../migrations/0101-rewards.ts'
import { steps as cooldowns } from '../migrations/0102-cooldowns.ts'
import { steps as restingJobs } from '../migrations/0103-resting-jobs.ts'
import { steps as entriesOfExits } from '../migrations/0104-entries-of-exits.ts'
import { steps as pastQuarantinedBlocks } from '../migrations/0105-past-quarantined-blocks.ts'
import { steps as timeOfAValue } from '../migrations/0106-time-of-a-value.ts'
import { steps as openPositionsById } from '../migrations/0107-open-positions-by-id.ts'
import { steps as completedSupplies } from '../migrations/0108-completed-supplies.ts'
import { steps as shortfalls } from '../migrations/0109-shortfalls.ts'
import { steps as earlierTimelines } from '../migrations/0110-earlier-timelines.ts'
import { steps as fieldsOfStates } from '../migrations/0111-fields-of-states.ts'
import { steps as idsOfAnEpoch } from '../migrations/0112-ids-of-an-epoch.ts'
import { steps as vaultFees } from '../migrations/0113-vault-fees.ts'
import { steps as waitingDeposits } from '../migrations/0114-waiting-deposits.ts'
import { steps as eventsByOrganization } from '../migrations/0115-events-by-organization.ts'
import { steps as decidingColumns } from '../migrations/0116-deciding-columns.ts'
import { steps as concernedMembers } from '../migrations/0117-concerned-members.ts'
import { steps as triedDeliveries } from '../migrations/0119-tried-deliveries.ts'
import { steps as webhookTurns } from '../migrations/0120-webhook-turns.ts'
import { steps as reclassifiedEntries } from '../migrations/0121-reclassified-entries.ts'
import { steps as epochsOfAnchors } from '../migrations/0122-epochs-of-anchors.ts'
import { steps as retiredDataKeys } from '../migrations/0123-retired-data-keys.ts'
import { steps as actsOfOthers } from '../migrations/0124-acts-of-others.ts'
import { steps as rejectedMoves } from '../migrations/0125-rejected-moves.ts'
import { steps as seenBreakers } from '../migrations/0126-seen-breakers.ts'
import { steps as eventsWithSealedFields } from '../migrations/0127-events-with-sealed-fields.ts'
import { steps as chosenStrategies } from '../migrations/0128-chosen-strategies.ts'
import { steps as lostReplication } from '../migrations/0132-lost-replication.ts'
import { steps as organizationInPrimaryKeys } from '../migrations/0133-organization-in-primary-keys.ts'
import { steps as leasesBeforeClaims } from '../migrations/0135-leases-before-claims.ts'
import { steps as explainedChanges } from '../migrations/0136-explained-changes.ts'
import { steps as ownCallbacks } from '../migrations/0137-own-callbacks.ts'
import { runMigrationSteps, type SteppedMigrations } from './run-migration-steps.ts'

/**
 * The migrations that run together in one transaction, by name, in order. A shipped name never changes, nor does its
 * migration. New ones have steps.
 */
const MIGRATIONS: Record<string, Migration> = {
  '0001-identity': { up: identity },
  '0002-chains-and-venues': { up: chainsAndVenues },
  '0003-wallets-and-ledger': { up: walletsAndLedger },
  '0004-allocations': { up: allocations },
  '0005-operations': { up: operations },
  '0006-outbox-and-idempotency': { up: outboxAndIdempotency },
  '0007-login-attempts': { up: loginAttempts },
  '0008-strategy-prices': { up: strategyPrices },
  '0009-solana': { up: solana },
  '0010-idempotency-sight': { up: idempotencySight },
  '0011-tallies': { up: tallies },
  '0012-deleted-and-set-aside': { up: deletedAndSetAside },
  '0013-live-solana': { up: liveSolana },
  '0014-operational-wallets': { up: operationalWallets },
  '0015-policy-and-audit': { up: policyAndAudit },
  '0016-agent-operations': { up: agentOperations },
  '0017-agent-queue': { up: agentQueue },
  '0018-webhooks': { up: webhooks },
  '0019-ramp': { up: ramp },
  '0020-ramp-bridge': { up: rampBridge },
  '0021-rebalancing': { up: rebalancing },
  '0022-ramp-under-way': { up: rampUnderWay },
  '0023-operations-of-profile': { up: operationsOfProfile },
  '0024-final-nonces': { up: finalNonces },
  '0025-field-terms': { up: fieldTerms },
  '0026-agent-work-without-triggers': { up: agentWorkWithoutTriggers },
  '0027-move-amounts': { up: moveAmounts },
  '0028-registration-invitations': { up: registrationInvitations },
  '0029-session-limits': { up: sessionLimits },
  '0030-key-permissions': { up: keyPermissions },
  '0031-operation-requesters': { up: operationRequesters },
  '0032-change-requests': { up: changeRequests },
  '0033-mail': { up: mail },
  '0034-second-factors': { up: secondFactors },
  '0035-single-sign-on': { up: singleSignOn },
  '0036-security-events': { up: securityEvents },
  '0036-unchained-audit-entries': { up: unchainedAuditEntries },
  '0036-verified-anchors': { up: verifiedAnchors },
  '0036-who-created': { up: whoCreated },
  '0037-key-rings-and-sealed-fields': { up: keyRingsAndSealedFields },
  '0038-organization-quotas': { up: organizationQuotas },
  '0039-signed-approvals': { up: signedApprovals },
  '0040-organization-erasures': { up: organizationErasures },
  '0040-recovery-code-peppers': { up: recoveryCodePeppers },
  '0041-venue-limits': { up: venueLimits },
  '0042-refused-moves': { up: refusedMoves },
  '0043-who-simulated': { up: whoSimulated },
  '0044-stuck-agent-transactions': { up: stuckAgentTransactions },
  '0045-browser-sessions': { up: browserSessions },
  '0046-strategy-history': { up: strategyHistory },
  '0047-deposit-limits': { up: depositLimits },
  '0048-database-history': { up: databaseHistory },
  '0050-job-leases': { up: jobLeases },
  '0052-deferred-deposits': { up: deferredDeposits },
  '0054-circuit-breakers': { up: circuitBreakers },
  '0056-accepted-breaks': { up: acceptedBreaks },
  '0057-exits': { up: exits },
  '0058-heartbeats-and-buffers': { up: heartbeatsAndBuffers },
}
/** The newest of the migrations that run in one transaction. */
export const NEWEST_IN_ONE = Object.keys(MIGRATIONS).at(-1) ?? ''

/**
 * The migrations that run while older processes serve, after the others: see {@link runMigrationSteps} and ADR 137. They
 * have a record of their own, because earlier versions do not start where the record of the others has unknown names.
 */
export const STEPPED_MIGRATIONS: SteppedMigrations = {
  '0059-retention': retention,
  '0060-positions-of-strategy': positionsOfStrategy,
  '0063-quota-places': quotaPlaces,
  '0064-listing-sources': listingSources,
  '0066-left-allowances': leftAllowances,
  '0068-decision-reasons': decisionReasons,
  '0069-deliveries-about': deliveriesAbout,
  '0075-key-errors': keyErrors,
  '0077-blocks-of-nonce-counts': blocksOfNonceCounts,
  '0078-ledger-entries-by-time': ledgerEntriesByTime,
  '0079-unfinished-of-wallet': unfinishedOfWallet,
  '0080-snapshots-by-month': snapshotsByMonth,
  '0081-due-wallets-of-organization': dueWalletsOfOrganization,
  '0082-timelocks': timelocks,
  '0083-service-accounts': serviceAccounts,
  '0084-move-purposes': movePurposes,
  '0085-refused-amounts': refusedAmounts,
  '0086-awaited-withdrawals': awaitedWithdrawals,
  '0089-finding': finding,
  '0090-saved-views': savedViews,
  '0091-planned-moves': plannedMoves,
  '0092-decision-files': decisionFiles,
  '0093-held-events': heldEvents,
  '0094-ended-days': endedDays,
  '0095-wallets-to-reconcile-of-organization': walletsToReconcileOfOrganization,
  '0096-stuck-transactions': stuckTransactions,
  '0097-value-of-a-reading': valueOfAReading,
  '0098-key-requests': keyRequests,
  '0099-old-webhook-secrets': oldWebhookSecrets,
  '0100-first-seen': firstSeen,
  '0101-rewards': rewards,
  '0102-cooldowns': cooldowns,
  '0103-resting-jobs': restingJobs,
  '0104-entries-of-exits': entriesOfExits,
  '0105-past-quarantined-blocks': pastQuarantinedBlocks,
  '0106-time-of-a-value': timeOfAValue,
  '0107-open-positions-by-id': openPositionsById,
  '0108-completed-supplies': completedSupplies,
  '0109-shortfalls': shortfalls,
  '0110-earlier-timelines': earlierTimelines,
  '0111-fields-of-states': fieldsOfStates,
  '0112-ids-of-an-epoch': idsOfAnEpoch,
  '0113-vault-fees': vaultFees,
  '0114-waiting-deposits': waitingDeposits,
  '0115-events-by-organization': eventsByOrganization,
  '0116-deciding-columns': decidingColumns,
  '0117-concerned-members': concernedMembers,
  '0119-tried-deliveries': triedDeliveries,
  '0120-webhook-turns': webhookTurns,
  '0121-reclassified-entries': reclassifiedEntries,
  '0122-epochs-of-anchors': epochsOfAnchors,
  '0123-retired-data-keys': retiredDataKeys,
  '0124-acts-of-others': actsOfOthers,
  '0125-rejected-moves': rejectedMoves,
  '0126-seen-breakers': seenBreakers,
  '0127-events-with-sealed-fields': eventsWithSealedFields,
  '0128-chosen-strategies': chosenStrategies,
  '0132-lost-replication': lostReplication,
  '0133-organization-in-primary-keys': organizationInPrimaryKeys,
  '0135-leases-before-claims': leasesBeforeClaims,
  '0136-explained-changes': explainedChanges,
  '0137-own-callbacks': ownCallbacks,
}

/** Every migration of this build by name, in order. */
export const MIGRATION_NAMES: readonly string[] = [...Object.keys(MIGRATIONS), ...Object.keys(STEPPED_MIGRATIONS)]

/**
 * Brings the tables up to date. Several processes may call it concurrently: one migrates, the others wait for it and
 * find nothing left to do. The migrations before 0059 run in one transaction, so a failed one leaves nothing half done;
 * later ones resume at the step that failed.
 */
export async function migrate(db: Database, log: Log): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ restore: string }>`
      select string_agg(format('set %s = %L', name, setting), ';') as restore from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')
    `.execute(connection)
    await sql.raw(LIFT_TIMEOUTS).execute(connection)
    await withCleanup(
      async () => {
        await runAll(connection, log)
        await runMigrationSteps(connection, log, STEPPED_MIGRATIONS)
      },
      () => sql.raw(rows[0]!.restore).execute(connection),
    )
  })
}

async function runAll(connection: Database, log: Log): Promise<void> {
  // Each only adds, so one that arrives late runs even where later ones already have.
  const provider = { getMigrations: async () => MIGRATIONS }
  const migrator = new Migrator({ db: connection, provider, allowUnorderedMigrations: true })
  const { error, results = [] } = await migrator.migrateToLatest()
  for (const { migrationName, status } of results) {
    if (status === 'Success') log.info({ migration: migrationName }, 'migrated')
    if (status === 'Error') log.error({ migration: migrationName }, 'migration failed')
  }
  if (error) throw error
}

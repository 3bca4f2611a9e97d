import type { Database } from '../../database/index.ts'
import { operationIdsOfHash } from '../lifecycle/reads/operation-ids-of-hash.ts'
import { type OperationView, operationViewOf, selectOperationViews } from './operation-view.ts'

/** Operations of an organization by their id, or by a hash that one of their transactions had; newest first. */
export async function findOperationViews(
  db: Database,
  organizationId: number,
  by: { readonly operationId: number } | { readonly txHash: string },
): Promise<OperationView[]> {
  const views = selectOperationViews(db, organizationId)
  const matching =
    'operationId' in by
      ? views.where('operations.id', '=', by.operationId)
      : views.where('operations.id', 'in', operationIdsOfHash(db, organizationId, by.txHash))
  return (await matching.orderBy('operations.id', 'desc').execute()).map(operationViewOf)
}

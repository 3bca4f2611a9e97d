import type { components, DataOf, OperationId } from '@weir/sdk'

/** A schema of the service's OpenAPI document, as the client library generates it. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

/** What an operation of the document returns, without core's envelope. */
export type Data<Id extends OperationId> = DataOf<Id>

/** Who did something; some responses name them, too. */
export type Actor = Omit<Schema<'AuditEntry'>['actor'], 'name'>

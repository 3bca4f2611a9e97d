import type { operations } from './generated/openapi.ts'
import type { OperationRow } from './operation-table.ts'
import type { CallOptions } from './options.ts'
import type { PageCall } from './page-call.ts'
import type { ResponseCall } from './response-call.ts'

/** The id of an operation in the OpenAPI document. */
export type OperationId = keyof operations

type Values<T> = T[keyof T]
type Given<T> = Exclude<T, undefined>

type PathOf<Id extends OperationId> = operations[Id] extends { parameters: { path: infer Path } }
  ? [Path] extends [never] | [undefined]
    ? never
    : Values<Path>
  : never

type QueryOf<Id extends OperationId> = operations[Id] extends { parameters: { query?: infer Query } }
  ? WithUndefined<Given<Query>>
  : never

/** The transport leaves out what is undefined, so an optional field may also be that. */
type WithUndefined<Query> = {
  [Name in keyof Query]: Record<never, never> extends Pick<Query, Name> ? Query[Name] | undefined : Query[Name]
}

type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody?: infer Body } ? JsonOf<Given<Body>> : never

/** Distributes over `Body`, so that no body is `never`; otherwise it would be `unknown`, which accepts every input. */
type JsonOf<Body> = Body extends { content: { 'application/json': infer Json } } ? Json : never

/** The body, or else the query. */
export type InputOf<Id extends OperationId> = [BodyOf<Id>] extends [never] ? QueryOf<Id> : BodyOf<Id>

type ResponsesOf<Id extends OperationId> = operations[Id] extends { responses: infer Responses } ? Responses : never

type ContentOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never

/** Core wraps its data; v1 does not. */
type Unwrapped<Body> = Body extends { success: true; data: infer Data } ? Data : Body

/** The data of a successful response: of each status, if there are several. */
export type DataOf<Id extends OperationId> = Unwrapped<ContentOf<Values<ResponsesOf<Id>>>>

/** One entry of a list. */
export type ItemOf<Id extends OperationId, Row extends OperationRow> = Row extends { list: { items: infer Name } }
  ? Name extends null
    ? DataOf<Id> extends readonly (infer Item)[]
      ? Item
      : never
    : Name extends keyof DataOf<Id>
      ? DataOf<Id>[Name] extends readonly (infer Item)[]
        ? Item
        : never
      : never
  : never

type PathArguments<Id extends OperationId> = [PathOf<Id>] extends [never] ? [] : [id: PathOf<Id>]

type InputArguments<Id extends OperationId> = [InputOf<Id>] extends [never]
  ? []
  : Record<never, never> extends InputOf<Id>
    ? [input?: InputOf<Id>]
    : [input: InputOf<Id>]

type ResultOf<Id extends OperationId, Row extends OperationRow> = Row extends { raw: true }
  ? Promise<Response>
  : Row extends { list: object }
    ? PageCall<DataOf<Id>, ItemOf<Id, Row>>
    : ResponseCall<DataOf<Id>>

/** The path parameter and the input of an operation, as far as it takes them. */
export type ArgumentsOf<Id extends OperationId> = [...PathArguments<Id>, ...InputArguments<Id>]

/** The method of an operation. */
export type Method<Id extends OperationId, Row extends OperationRow> = (
  ...args: [...ArgumentsOf<Id>, options?: CallOptions]
) => ResultOf<Id, Row>

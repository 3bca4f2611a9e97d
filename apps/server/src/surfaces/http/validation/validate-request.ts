import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyRequest, FastifySchema } from 'fastify'
import { EXPLAINED_BODY_BYTES_MAX, Failure } from '../../../kernel/index.ts'
import { coerce } from './coerce.ts'
import { declaredFields } from './declared-fields.ts'
import { isStorableText, type ValidationIssue } from './parse-body.ts'
import { parsedBodyOf, rawBodyOf } from './raw-body.ts'
import { withoutIds } from './schema-components.ts'
import { validationIssues } from './validation-issues.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Body and query with what no schema declares, for comparing a request with an earlier one. */
    sent?: { readonly body: unknown; readonly query: unknown }
  }
}

/** Validates a request's shape and fills in the schema's defaults. Throws VALIDATION_ERROR with every issue found,
 * or with the first one if the body is larger than EXPLAINED_BODY_BYTES_MAX. */
export type RequestCheck = (request: FastifyRequest) => void

/** Finds what is wrong with a value of the given size in bytes. */
type Check = (value: unknown, bytes: number) => ValidationIssue[]

/**
 * One compiler for all routes. Fills in defaults but coerces nothing; `coerce.ts` has already done query strings.
 *
 * A request passes a validator that stops at the first error, so its cost is linear in its size. Only a small invalid
 * request then passes one that collects every error: 1 MiB of wrong items would produce millions.
 */
export class RequestValidator {
  readonly #first = compiler({ allErrors: false })
  readonly #all = compiler({ allErrors: true })
  readonly #checks = new WeakMap<object, Check>()

  /** The check for a route: path parameters, query string and, unless the handler reads it itself, the body. */
  check(schema: FastifySchema, rawBody = false): RequestCheck {
    const params = this.#compile(schema.params)
    const query = this.#compile(schema.querystring)
    const body = this.#compile(schema.body)
    const coerceParams = propertiesOf(schema.params)
    const coerceQuery = propertiesOf(schema.querystring)
    return (request) => {
      const issues: ValidationIssue[] = []
      issues.push(...textual(request.params, coerceParams, params))
      issues.push(...textual(request.query, coerceQuery, query))
      if (request.method !== 'GET' && request.method !== 'HEAD' && !rawBody) {
        const bytes = rawBodyOf(request).length
        const parsed = parsedBodyOf(request)
        if ('issue' in parsed) issues.push(parsed.issue)
        else {
          request.body = parsed.value
          if (body) issues.push(...body(parsed.value, bytes))
        }
      }
      if (issues.length > 0) throw validationFailure(issues)
      request.sent = { body: request.body, query: request.query }
      if (!rawBody) request.body = declaredFields(request.body, schema.body)
      request.query = declaredFields(request.query, schema.querystring)
    }
  }

  #compile(schema: unknown): Check | undefined {
    if (typeof schema !== 'object' || schema === null) return undefined
    const existing = this.#checks.get(schema)
    if (existing) return existing
    // Compiled with the first request: compiling those of all routes takes longer than the rest of a start.
    let plain: object | undefined
    let first: ValidateFunction | undefined
    // Most routes never receive an invalid request.
    let all: ValidateFunction | undefined
    const check: Check = (value, bytes) => {
      plain ??= withoutIds(schema)
      first ??= this.#first.compile(plain)
      if (first(value)) return []
      if (bytes > EXPLAINED_BODY_BYTES_MAX) return validationIssues(first.errors ?? [])
      all ??= this.#all.compile(plain)
      all(value)
      return validationIssues(all.errors ?? [])
    }
    this.#checks.set(schema, check)
    return check
  }
}

function compiler(options: { allErrors: boolean }): Ajv {
  const ajv = new Ajv({ ...options, useDefaults: true, verbose: true, strict: false })
  addFormats.default(ajv)
  const { validate: isDateTime } = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  ajv.addFormat('date-time', (text: string) => isDateTime(text) && isMoment(text))
  return ajv
}

/**
 * Whether handlers can read a time, and responses write it: `Date` knows neither leap seconds nor offsets of hours alone,
 * and an offset can lead to a year of five digits.
 */
function isMoment(text: string): boolean {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && /^\d{4}-/.test(at.toISOString())
}

/** A VALIDATION_ERROR whose message states the first issue and whose details list all of them (contract 4). */
function validationFailure(issues: readonly ValidationIssue[]): Failure {
  const [first, ...rest] = issues
  const suffix = rest.length > 0 ? ` (and ${rest.length} more)` : ''
  const message =
    first === undefined
      ? undefined
      : first.path === 'body' && first.message.endsWith('.')
        ? first.message
        : `${first.path} ${first.message}${suffix}.`
  return new Failure('VALIDATION_ERROR', { ...(message === undefined ? {} : { message }), details: { issues } })
}

function textual(values: unknown, properties: Record<string, object>, check: Check | undefined): ValidationIssue[] {
  if (typeof values !== 'object' || values === null) return []
  const record = values as Record<string, unknown>
  const broken = Object.keys(record).filter(
    (name) => ![record[name]].flat().every((text) => isStorableText(String(text))),
  )
  if (broken.length > 0) return broken.map((path) => ({ path, message: 'must be valid Unicode without NUL' }))
  coerce(record, properties)
  // Node limits a request's head to 16 KiB, so every error may be collected.
  return check?.(record, 0) ?? []
}

function propertiesOf(schema: unknown): Record<string, object> {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return {}
  return schema.properties as Record<string, object>
}

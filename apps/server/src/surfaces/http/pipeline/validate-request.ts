import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyRequest, FastifySchema } from 'fastify'
import { Failure } from '../../../kernel/index.ts'
import { coerce } from './coerce.ts'
import { isStorableText, type ValidationIssue } from './parse-body.ts'
import { parsedBodyOf } from './raw-body.ts'
import { withoutIds } from './schema-components.ts'
import { validationIssues } from './validation-issues.ts'

/** Validates a request's shape and fills in the schema's defaults. Throws VALIDATION_ERROR with every issue found. */
export type RequestCheck = (request: FastifyRequest) => void

/** One compiler for all routes. Fills in defaults but coerces nothing; `coerce.ts` has already done query strings. */
export class RequestValidator {
  readonly #ajv = new Ajv({ allErrors: true, useDefaults: true, verbose: true, strict: false })
  readonly #compiled = new WeakMap<object, ValidateFunction>()

  constructor() {
    addFormats.default(this.#ajv)
  }

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
        const parsed = parsedBodyOf(request)
        if ('issue' in parsed) issues.push(parsed.issue)
        else {
          request.body = parsed.value
          if (body && !body(parsed.value)) issues.push(...validationIssues(body.errors ?? []))
        }
      }
      if (issues.length > 0) throw validationFailure(issues)
    }
  }

  #compile(schema: unknown): ValidateFunction | undefined {
    if (typeof schema !== 'object' || schema === null) return undefined
    const existing = this.#compiled.get(schema)
    if (existing) return existing
    const compiled = this.#ajv.compile(withoutIds(schema))
    this.#compiled.set(schema, compiled)
    return compiled
  }
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

function textual(
  values: unknown,
  properties: Record<string, object>,
  check: ValidateFunction | undefined,
): ValidationIssue[] {
  if (typeof values !== 'object' || values === null) return []
  const record = values as Record<string, unknown>
  const broken = Object.keys(record).filter(
    (name) => ![record[name]].flat().every((text) => isStorableText(String(text))),
  )
  if (broken.length > 0) return broken.map((path) => ({ path, message: 'must be valid Unicode without NUL' }))
  coerce(record, properties)
  if (check === undefined || check(record)) return []
  return validationIssues(check.errors ?? [])
}

function propertiesOf(schema: unknown): Record<string, object> {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return {}
  return schema.properties as Record<string, object>
}

import type { ErrorObject } from 'ajv'
import { VALIDATION_ISSUES_MAX } from '../../../kernel/index.ts'
import type { ValidationIssue } from './parse-body.ts'

/**
 * Converts Ajv errors to issues, one per path and message, with paths such as `bank_details.routing_number`. Takes time
 * linear in the number of errors.
 */
export function validationIssues(errors: readonly ErrorObject[]): ValidationIssue[] {
  const unions = new Map(errors.filter(({ keyword }) => keyword === 'anyOf').map((union) => [placeOf(union), union]))
  const issues = new Map<string, ValidationIssue>()
  for (const error of errors) {
    const enclosing = unionsAround(error, unions)
    // Ajv reports each failed branch of a union; report the union once.
    if (enclosing.some((union) => !isNullable(union))) continue
    // For `X | null`, report only what is wrong with X.
    const isOrNull = enclosing.length > 0
    if (isOrNull && error.keyword === 'type' && error.params.type === 'null') continue
    if (error.keyword === 'anyOf' && isNullable(error)) continue
    const issue = { path: pathOf(error), message: sentence(error, isOrNull) }
    issues.set(`${issue.path} ${issue.message}`, issue)
    if (issues.size === VALIDATION_ISSUES_MAX) break
  }
  return [...issues.values()]
}

/** Where an error is: in which part of the schema, at which value. */
function placeOf({ schemaPath, instancePath }: ErrorObject): string {
  return `${schemaPath} ${instancePath}`
}

/** The unions that have the error in one of their branches. */
function unionsAround(error: ErrorObject, unions: ReadonlyMap<string, ErrorObject>): ErrorObject[] {
  if (unions.size === 0) return []
  const found: ErrorObject[] = []
  const values = prefixesOf(error.instancePath)
  for (const schemaPath of prefixesOf(error.schemaPath)) {
    if (!schemaPath.endsWith('/anyOf') || schemaPath === error.schemaPath) continue
    for (const instancePath of values) {
      const union = unions.get(`${schemaPath} ${instancePath}`)
      if (union) found.push(union)
    }
  }
  return found
}

/** `/a/b` and what is above it: '', `/a` and `/a/b`. */
function prefixesOf(path: string): string[] {
  const prefixes: string[] = []
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) prefixes.push(path.slice(0, at))
  return [...prefixes, path]
}

/** `X | null`: a union of one other branch and null. */
function isNullable(error: ErrorObject): boolean {
  const branches = branchesOf(error)
  return branches.length === 2 && branches.filter((branch) => branch.type === 'null').length === 1
}

function branchesOf(error: ErrorObject): { type?: string; const?: unknown }[] {
  return Array.isArray(error.schema) ? error.schema : []
}

function sentence(error: ErrorObject, isOrNull: boolean): string {
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'enum':
      return `must be one of: ${error.params.allowedValues.join(', ')}`
    case 'const':
      return `must be ${error.params.allowedValue}`
    case 'format':
      return `must be a valid ${error.params.format}`
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`
    case 'minimum':
      return `must be at least ${error.params.limit}`
    case 'maximum':
      return `must be at most ${error.params.limit}`
    case 'minItems':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} entries`
    case 'maxItems':
      return `must have at most ${error.params.limit} entries`
    case 'pattern':
      return `must have the form ${error.params.pattern}`
    case 'anyOf': {
      const branches = branchesOf(error)
      if (branches.every((branch) => branch.const !== undefined || branch.type === 'null'))
        return `must be one of: ${branches.map((branch) => branch.const ?? 'null').join(', ')}`
      return `must be one of: ${branches.map((branch) => branch.type ?? 'value').join(', ')}`
    }
    case 'type':
      return `must be ${wordOf(error.params.type)}${isOrNull ? ' or null' : ''}`
    default:
      return error.message ?? 'is not valid'
  }
}

function wordOf(type: string | string[]): string {
  const words: Record<string, string> = {
    string: 'a string',
    integer: 'an integer',
    number: 'a number',
    boolean: 'true or false',
    object: 'an object',
    array: 'an array',
  }
  return [type]
    .flat()
    .map((name) => words[name] ?? name)
    .join(' or ')
}

/** Converts `/bank_details/routing_number` and `/events/0` to `bank_details.routing_number` and `events[0]`. */
function pathOf(error: ErrorObject): string {
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') parts.push(error.params.missingProperty)
  const path = parts.reduce(
    (whole, part) => (/^\d+$/.test(part) ? `${whole}[${part}]` : whole === '' ? part : `${whole}.${part}`),
    '',
  )
  return path === '' ? 'body' : path
}

import { type Block, blockOf, blocksOf, pages } from './documented-blocks.ts'

/** Pages whose blocks continue in one terminal. */
const TOURS = ['quick-start', 'integrate-v1', 'testing', 'treasury-tour', 'ramp'].map((name) => `docs/${name}.md`)
/** A block of another page that only sends a request, with what the tours set. */
const A_REQUEST = /^(?:BODY=.*\n|(?:SECRET|PROFILE|REFRESH)=\$\()?curl [^\n]*"\$BASE/
/**
 * Blocks that need more than the tours have, with the function of documented-tour.sh that makes it. They run after all
 * others, in this order.
 */
const WITH_MORE: readonly (readonly [before: string, page: string, begins: string])[] = [
  ['anchored', 'audit-log', 'weir audit verify --anchors'],
  ['', 'audit-log', 'weir audit verify\n'],
  ['', 'audit-log', 'weir audit verify | grep'],
  ['', 'events', 'curl -N'],
  ['work_for_agents', 'agents-protocol', 'curl "$BASE/api/agent/transactions/poll"'],
  ['another_address', 'treasury', 'curl -X POST "$BASE/api/core/org-wallets"'],
  ['', 'single-sign-on', 'curl "$BASE/api/core/sso/domains"'],
  ['publish_record', 'single-sign-on', 'curl -X POST "$BASE/api/core/sso/domains/1/verify"'],
  ['', 'single-sign-on', 'curl "$BASE/api/core/sso/providers"'],
  ['two_more_members', 'change-requests', 'curl -X PUT "$BASE/api/core/change-policy"'],
  ['', 'change-requests', 'weir owner recover'],
  ['', 'members-and-sessions', 'weir owner recover'],
  ['verified_address', 'members-and-sessions', 'curl "$BASE/api/core/invitations"'],
  ['own_password', 'members-and-sessions', 'curl "$BASE/api/core/auth/password" '],
  ['second_factor', 'sign-in', 'curl "$BASE/api/core/auth/second-factor"'],
  ['new_session', 'sign-in', 'curl -X PUT "$BASE/api/core/organization/security"'],
  ['own_passkey', 'approvals', 'curl -X PUT "$BASE/api/core/organization/signed-approvals"'],
]
/** A program with the address of a service that is not the one of the test. */
const PROGRAM = blockOf('docs/sandbox.md', 'import { createPublicClient')
/** Requests that nothing here can answer; block-proofs.ts says where they are sent. */
const ELSEWHERE = /\/breaks\/|\/circuit-breakers\/accept/
/** Where the anchors of the service under test are. */
const ANCHORS = ['/var/lib/weir/anchors.ndjson', '.data/anchors.ndjson'] as const

const isShell = ({ language }: Block) => ['bash', 'sh'].includes(language)
const withMore = WITH_MORE.map(([before, page, begins]) => ({ before, block: blockOf(`docs/${page}.md`, begins) }))
const isLater = ({ page, code }: Block) => withMore.some(({ block }) => block.page === page && block.code === code)

/** Blocks of the tours, in order. */
const tourBlocks: readonly Block[] = TOURS.flatMap(blocksOf).filter(
  (block) => isShell(block) && !/^npm /.test(block.code),
)

/** Blocks of other pages that are requests, in order. */
const requestBlocks: readonly Block[] = pages
  .filter((page) => page.startsWith('docs/') && !TOURS.includes(page))
  .flatMap(blocksOf)
  .filter((block) => isShell(block) && A_REQUEST.test(block.code) && !ELSEWHERE.test(block.code) && !isLater(block))

/** The script of all of them; `functions` is documented-tour.sh. */
export function tourScript(functions: string): string {
  const code = ({ code: text }: Block) => text.replace(...ANCHORS)
  const later = withMore.flatMap(({ before, block }) => [before, code(block)])
  const program = `cat > .data/client.mjs <<END\n${PROGRAM.code.replace('http://127.0.0.1:3000', '$BASE')}END\nnode .data/client.mjs`
  return [...tourBlocks.map(code), functions, ...requestBlocks.map(code), program, ...later].join('\n')
}

/** Whether {@link tourScript} has it. */
export function isInTour(block: Block): boolean {
  const isSame = ({ page, code }: Block) => page === block.page && code === block.code
  return [...tourBlocks, ...requestBlocks, PROGRAM].some(isSame) || isLater(block)
}

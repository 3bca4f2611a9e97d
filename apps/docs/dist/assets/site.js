const $ = (selector, within = document) => within.querySelector(selector)
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)]

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

// Addresses of the API reference from when it was at /docs.
if (location.pathname === '/docs/' && /^#(?:tag|model|webhook|description)\b/.test(location.hash)) {
  location.replace(`/docs/api/${location.hash}`)
}

// Light and dark.
$('button.theme').addEventListener('click', () => {
  const root = document.documentElement
  const isDark = getComputedStyle(root).colorScheme === 'dark' || (root.dataset.theme ?? system()) === 'dark'
  root.dataset.theme = isDark ? 'light' : 'dark'
  localStorage.setItem('weir-docs-theme', root.dataset.theme)
})
const system = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

// The menu of narrow windows.
const menu = $('button.menu')
menu.addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('menu-open')
  menu.setAttribute('aria-expanded', String(isOpen))
  if (isOpen) $('#sidebar [aria-current=page]')?.scrollIntoView({ block: 'center', behavior: 'instant' })
})

// Previous and next page.
const links = $$('#sidebar a')
const here = links.findIndex((link) => link.getAttribute('aria-current') === 'page')
if (here >= 0) {
  for (const [link, label] of [
    [links[here - 1], 'Previous'],
    [links[here + 1], 'Next'],
  ]) {
    if (link)
      $('.neighbors').append(
        element('a', { href: link.href, class: label.toLowerCase() }, element('small', {}, label), link.textContent),
      )
  }
  const sidebar = $('#sidebar')
  const { offsetTop } = links[here]
  if (offsetTop > sidebar.clientHeight - 80) sidebar.scrollTop = offsetTop - sidebar.clientHeight / 2
}

// Code that can be copied.
for (const block of $$('article pre')) {
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText($('code', block).textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1_500)
  })
  const frame = element('div', { class: 'code' })
  block.replaceWith(frame)
  frame.append(block, button)
}

// The section that is being read.
const contents = new Map($$('.contents a').map((link) => [decodeURIComponent(link.hash.slice(1)), link]))
if (contents.size > 0) {
  const headings = $$('article :is(h2, h3)').filter(({ id }) => contents.has(id))
  const mark = () => {
    const current = headings.findLast((heading) => heading.getBoundingClientRect().top < 120) ?? headings[0]
    for (const [id, link] of contents) link.classList.toggle('current', id === current?.id)
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}

// The search.
const dialog = $('dialog.search')
const input = $('input', dialog)
const list = $('ul', dialog)
const status = $('[role=status]', dialog)
const RESULTS_MAX = 20
/** Codes and settings: their words alone find too much. */
const NAMES = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g
let loading

async function openSearch() {
  if (dialog.open) return
  dialog.showModal()
  input.select()
  loading ??= load()
  try {
    await loading
    show()
  } catch {
    loading = undefined
    status.textContent = 'The search could not be loaded. Try again.'
  }
}

/** The sections of all pages, and what finds them. */
async function load() {
  const [{ default: MiniSearch }, { SEARCH, tellingWords }, rows] = await Promise.all([
    import('/docs/assets/minisearch.js'),
    import('/docs/assets/search-rules.js'),
    fetch('/docs/search.json').then((response) => response.json()),
  ])
  const passages = rows.map(([page, anchor, title, heading, text], id) => ({ id, page, anchor, title, heading, text }))
  const index = new MiniSearch(SEARCH)
  index.addAll(passages)
  return { passages, index, tellingWords }
}

async function show() {
  const { passages, index, tellingWords } = await loading
  list.replaceChildren()
  const found = index.search(tellingWords(input.value))
  const names = input.value.match(NAMES) ?? []
  const named = ({ id }) => names.filter((name) => passages[id].text.includes(name)).length
  if (names.length > 0) found.sort((a, b) => named(b) - named(a))
  status.textContent = statusOf(found.length)
  for (const { id, terms } of found.slice(0, RESULTS_MAX)) {
    const { page, anchor, title, heading, text } = passages[id]
    const inText = names.filter((name) => text.includes(name)).map((name) => name.toLowerCase())
    const words = inText.length > 0 ? inText : terms
    const address = `${page === 'index' ? '/docs/' : `/docs/${page}`}${heading === title ? '' : `#${anchor}`}`
    const path = heading === title ? [] : [element('small', {}, title)]
    list.append(
      element(
        'li',
        {},
        element(
          'a',
          { href: address },
          ...path,
          element('strong', {}, ...marked(heading, terms)),
          element('span', {}, ...marked(excerpt(text, words), words)),
        ),
      ),
    )
  }
  choose(0)
}

function statusOf(found) {
  if (input.value.trim() === '') return ''
  if (found === 0) return `Nothing contains “${input.value}”.`
  if (found > RESULTS_MAX) return `The ${RESULTS_MAX} sections that fit best`
  return `${found} ${found === 1 ? 'section' : 'sections'}`
}

/** The text around the first word that it contains. */
function excerpt(text, words) {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const begin = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 50)
  return `${begin > 0 ? '…' : ''}${text.slice(begin, begin + 160)}${text.length > begin + 160 ? '…' : ''}`
}

/** The text, with the words marked. */
function marked(text, words) {
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  return text
    .split(new RegExp(`(?<![\\p{L}\\p{N}])(${pattern})`, 'giu'))
    .map((part, index) => (index % 2 === 1 ? element('mark', {}, part) : part))
}

function choose(index) {
  const items = $$('a', list)
  for (const [place, item] of items.entries()) item.classList.toggle('chosen', place === index)
  items[index]?.scrollIntoView({ block: 'nearest' })
}

input.addEventListener('input', show)
dialog.addEventListener('keydown', (event) => {
  const items = $$('a', list)
  const index = items.findIndex((item) => item.classList.contains('chosen'))
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    choose(Math.min(items.length - 1, Math.max(0, index + (event.key === 'ArrowDown' ? 1 : -1))))
  } else if (event.key === 'Enter' && event.target === input) {
    event.preventDefault()
    items[index]?.click()
  }
})
dialog.addEventListener('click', (event) => {
  if (event.target === dialog || event.target.closest?.('li a')) dialog.close()
})
$('button.search').addEventListener('click', openSearch)
addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, [contenteditable]')
  const isSearch = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!isSearch || event.altKey) return
  event.preventDefault()
  openSearch()
})

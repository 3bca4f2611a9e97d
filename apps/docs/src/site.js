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
let passages

async function openSearch() {
  if (dialog.open) return
  dialog.showModal()
  input.select()
  passages ??= fetch('/docs/search.json')
    .then((response) => response.json())
    .then((all) =>
      all.map(([page, anchor, title, heading, text]) => ({
        page,
        anchor,
        title,
        heading,
        text,
        lower: { title: title.toLowerCase(), heading: heading.toLowerCase(), text: text.toLowerCase() },
      })),
    )
  try {
    await passages
    show()
  } catch {
    passages = undefined
    status.textContent = 'The search could not be loaded. Try again.'
  }
}

/** How well a passage fits: 0 if a word is missing. */
function scoreOf({ lower, page }, words) {
  let score = 0
  for (const word of words) {
    const start = new RegExp(`(?:^|[^\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u')
    let found = 0
    if (lower.heading.includes(word)) found += start.test(lower.heading) ? 12 : 4
    if (lower.title.includes(word)) found += start.test(lower.title) ? 8 : 2
    if (lower.text.includes(word)) found += start.test(lower.text) ? 3 : 1
    if (found === 0) return 0
    score += found
  }
  const phrase = words.join(' ')
  if (lower.heading === phrase || lower.title === phrase) score += 15
  if (lower.text.includes(phrase)) score += 4
  // Records and lists name everything once; the page that explains it comes first.
  if (/^(?:decisions\/|changelog|reference\/|asvs|attacks|database|code-tour)/.test(page)) score *= 0.5
  return score
}

async function show() {
  const words = input.value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const all = await passages
  list.replaceChildren()
  if (words.length === 0) {
    status.textContent = ''
    return
  }
  const found = all
    .map((passage) => ({ passage, score: scoreOf(passage, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  status.textContent =
    found.length === 0
      ? `Nothing contains “${input.value}”.`
      : `${found.length} ${found.length === 1 ? 'section' : 'sections'}`
  for (const { passage } of found.slice(0, RESULTS_MAX)) {
    const { page, anchor, title, heading } = passage
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
          element('strong', {}, ...marked(heading, words)),
          element('span', {}, ...marked(excerpt(passage, words), words)),
        ),
      ),
    )
  }
  choose(0)
}

/** The text around the first word that it contains. */
function excerpt({ text, lower }, words) {
  const places = words.map((word) => lower.text.indexOf(word)).filter((place) => place >= 0)
  const begin = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 50)
  return `${begin > 0 ? '…' : ''}${text.slice(begin, begin + 160)}${text.length > begin + 160 ? '…' : ''}`
}

/** The text, with the words marked. */
function marked(text, words) {
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  return text
    .split(new RegExp(`(${pattern})`, 'gi'))
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

// Requests to the server, and small things that all of the page uses.
const at = id => document.getElementById(id);
const headers = () => at('key').value ? {Authorization: 'Bearer ' + at('key').value} : {};

async function ask(path, body, more = {}) {
  const response = await fetch(path, body === undefined ? {headers: headers()} :
      {method: 'POST', headers: {...headers(), ...more}, body});
  const text = await response.text();
  let answer = null;
  try { answer = text ? JSON.parse(text) : {}; } catch { answer = {error: text.slice(0, 200)}; }
  if (!response.ok) throw new Error(answer.error || 'status ' + response.status);
  return answer;
}

// element('p.reason', 'text', children...)
function element(kind, text = '', ...children) {
  const [tag, ...classes] = kind.split('.');
  const made = document.createElement(tag);
  made.className = classes.join(' ');
  made.textContent = text;
  made.append(...children);
  return made;
}

const tensorText = t => `${t.name} ${t.datatype} [${t.shape.join(', ')}]`;
const round = x => !Number.isFinite(x) ? 0 : x >= 100 ? Math.round(x) : Math.round(x * 100) / 100;
const bytesText = n => n >= 1e9 ? (n / 1e9).toFixed(2) + ' GB' : n >= 1e6 ? (n / 1e6).toFixed(1) + ' MB' : (n / 1e3).toFixed(1) + ' kB';

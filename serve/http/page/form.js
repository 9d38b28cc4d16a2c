// The form.
// The models and versions that there are to choose from.
function offer() {
  const was = at('model').value, names = [...new Set([...known.keys()].map(n => n.split('/')[0]))];
  at('model').replaceChildren(...names.map(n => new Option(n, n)));
  if (names.includes(was)) at('model').value = was;
  offerVersions(was === at('model').value);
}

function offerVersions(isSameModel) {
  const was = at('version').value, name = at('model').value;
  const versions = [...known.keys()].filter(n => n.startsWith(name + '/')).map(n => n.split('/')[1]);
  at('version').replaceChildren(new Option('newest', ''), ...versions.map(v => new Option(v, v)));
  if (isSameModel && versions.includes(was)) at('version').value = was;
  if (!isSameModel || !at('request').value) propose();
}

function forgetAnswer() {
  at('answer').textContent = at('time').textContent = '';
  showBest([]);
  if (picture) drawPicture();
}

async function send() {
  forgetAnswer();
  try {
    if (!chosen()) throw new Error('no model is loaded');
    const name = at('model').value, version = at('version').value;
    const request = picture ? pictureRequest() : {body: at('request').value, headers: {}};
    const start = performance.now();
    const answer = await ask(`v2/models/${name}${version && '/versions/' + version}/infer`, request.body, request.headers);
    at('time').textContent = `${round(performance.now() - start)} ms, version ${answer.model_version}`;
    showAnswer(answer);
  } catch (error) {
    at('answer').textContent = 'error: ' + error.message;
    at('values').open = true;
  }
}

at('send').onclick = send;
at('model').onchange = () => { offerVersions(false); forgetAnswer(); };
at('version').onchange = () => { propose(); forgetAnswer(); };
at('picture').onchange = () => takePicture(at('picture').files[0]);
at('forget').onclick = () => { at('picture').value = ''; takePicture(null); };
at('labels').onchange = async () => {
  const file = at('labels').files[0];
  labels = file ? (await file.text()).split('\n').map(l => l.trim()).filter(l => l) : [];
};
at('drop').ondragover = event => { event.preventDefault(); at('drop').className = 'over'; };
at('drop').ondragleave = () => { at('drop').className = ''; };
at('drop').ondrop = event => { event.preventDefault(); at('drop').className = ''; takePicture(event.dataTransfer.files[0]); };
refresh();
setInterval(refresh, 1000);

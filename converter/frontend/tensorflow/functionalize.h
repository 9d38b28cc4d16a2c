#pragma once
// Control flow of TensorFlow 1, whose loops and branches are nodes among all others, as functions.

#include <cstdint>

#include "converter/frontend/tensorflow/tensorflow.pb.h"

namespace micrort::frontend::tensorflow {

// Frames from Enter to Exit become While, and what lies between Switch and Merge becomes If; the nodes Exit
// and Merge stay and hand on the results. What does not have the form in which TensorFlow writes it stays as
// it is.
void FunctionalizeControlFlow(::tensorflow::GraphDef* graph);

// Where functions have more than this, what is left stays as it is: each branch and loop has nodes of its
// own, so that a file's constants may become many times as much.
constexpr uint64_t kMostCopiedBytes = uint64_t{2} << 30;

// Parts of it. The former are of the whole graph; the latter of some nodes, and adds functions to the graph.
// copied_bytes: what functions have, which grows.
void FunctionalizeLoops(::tensorflow::GraphDef* graph, uint64_t* copied_bytes);
void FunctionalizeBranches(google::protobuf::RepeatedPtrField<::tensorflow::NodeDef>* nodes,
                           ::tensorflow::FunctionDefLibrary* library, uint64_t* copied_bytes);

}  // namespace micrort::frontend::tensorflow
